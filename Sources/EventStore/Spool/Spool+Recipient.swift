import LMDB

extension Spool {
  /// The name of the recipient file.
  private static let recipientName = "recipient"

  /// Sets the recipient of the events that are written to the spool from now on.
  ///
  /// Set it to ``Recipient/nobody`` before a logout is recorded, to a login once that is durable,
  /// and to the log's current login whenever the log is opened. Then no event is written under a
  /// login that doesn't exist yet, and a crash in between is repaired. The recipient is durable
  /// when this returns; the call blocks for that. Only one process at a time may call it.
  public func setRecipient(_ recipient: Recipient) throws(LogError) {
    do throws(LMDBError) {
      if let bytes = recipient.bytes {
        try replaceRecipient(with: bytes)
      } else {
        try folder.remove(Self.recipientName)
      }
      try folder.flush()
    } catch {
      throw LogError(error, path: path)
    }
  }

  private func replaceRecipient(with bytes: [UInt8]) throws(LMDBError) {
    let unfinished = Self.recipientName + Folder.unfinished
    try folder.remove(unfinished)
    let file = try File(folder.path(of: unfinished), .create)
    try file.write(bytes)
    try file.flush()
    try folder.rename(unfinished, to: Self.recipientName)
  }

  /// The recipient of events written now; `unknown` if it can't be read.
  public func recipient() -> Recipient {
    let bytes = try? folder.bytes(of: Self.recipientName, limit: Recipient.bytesMax)
    guard let bytes else { return .unknown }
    return Recipient(bytes.raw)
  }
}
