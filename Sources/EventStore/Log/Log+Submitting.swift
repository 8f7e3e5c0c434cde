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
}
