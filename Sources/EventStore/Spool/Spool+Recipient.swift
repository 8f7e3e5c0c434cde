import LMDB

extension Spool {
  /// The name of the file.
  private static let recipientName = "recipient"

  /// Says to whoever writes to the spool whom the events concern, from now on.
  ///
  /// Set it to ``Recipient/nobody`` before a logout is recorded, to a login once that is durable,
  /// and to what the log says when it is opened: then an event is never written under a login that
  /// was not there yet, and whatever crashes between is mended. When it returns, it is on the
  /// medium. It blocks for that. For one process at a time.
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

  /// Whom the events concern that are written now; unknown where it can't be read.
  public func recipient() -> Recipient {
    let bytes = try? folder.bytes(of: Self.recipientName, limit: Recipient.bytesMax)
    guard let bytes else { return .unknown }
    return Recipient(bytes.raw)
  }
}
