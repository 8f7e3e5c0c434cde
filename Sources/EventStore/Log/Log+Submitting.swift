extension Log {
  /// Begins to append a batch, and returns at once: what becomes of it the receipt says.
  ///
  /// - Throws: `tooLarge`, `readOnly`, `closed`.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(LogError) -> Receipt {
    guard let receipt = try submit(batch, durability, isAlone: false) else {
      throw .closed(path: path)
    }
    return receipt
  }

  /// As ``submit(_:durability:)``, but does nothing and returns `nil` where the log is closed or,
  /// where the batch is to be alone, where anything else is on its way into the log.
  func submit(
    _ batch: Batch, _ durability: Durability, isAlone: Bool
  ) throws(LogError) -> Receipt? {
    precondition(!batch.isEmpty, "an empty batch has no numbers")
    try checkLimits(batch)
    let receipt = Receipt(count: batch.count)
    let append = LogWriter.Append(batch: batch, reply: .receipt(receipt))
    return writer.submit(append, durability, isAlone: isAlone) ? receipt : nil
  }
}
