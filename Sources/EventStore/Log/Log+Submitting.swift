extension Log {
  /// Begins to append a batch, and returns at once: what becomes of it the receipt says.
  ///
  /// - Throws: `tooLarge`, `readOnly`, `closed`.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(LogError) -> Receipt {
    precondition(!batch.isEmpty, "an empty batch has no numbers")
    try checkLimits(batch)
    let receipt = Receipt(count: batch.count)
    guard writer.submit(LogWriter.Append(batch: batch, reply: .receipt(receipt)), durability) else {
      throw .closed(path: path)
    }
    return receipt
  }

  /// As ``submit(_:durability:)``, but does nothing and returns `nil` where anything else is on its
  /// way into the log.
  func submitAlone(_ batch: Batch, _ durability: Durability) throws(LogError) -> Receipt? {
    precondition(!batch.isEmpty, "an empty batch has no numbers")
    try checkLimits(batch)
    let receipt = Receipt(count: batch.count)
    let append = LogWriter.Append(batch: batch, reply: .receipt(receipt))
    return writer.submitAlone(append, durability) ? receipt : nil
  }
}
