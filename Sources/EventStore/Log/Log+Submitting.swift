extension Log {
  /// Begins to append a batch and returns at once; the receipt reports the outcome.
  ///
  /// - Throws: `tooLarge`, `tooMany`, `readOnly`, `closed`.
  /// - Precondition: The batch holds an event.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(LogError) -> Receipt {
    let append = try append(of: batch)
    guard writer.submit(append.ready, durability) else { throw .closed(path: path) }
    return append.receipt
  }

  /// Submits as ``submit(_:durability:)`` does, but only if the batch follows all that was told.
  ///
  /// Does nothing and returns `nil` if the log is closed, if anything not submitted this way is on
  /// its way into it, or if the batch does not follow all that the log's follower was told. The
  /// log's thread learns of the batch only once it is woken, so until then the caller has the
  /// processors to itself. A relaxed batch then waits for others, for some milliseconds at most,
  /// unless someone follows the log.
  ///
  /// - Parameters:
  ///   - isAwaited: Whether someone will wait until the batch is in the log; it then doesn't wait
  ///     for others.
  ///   - first: The number that the batch's first record will get.
  ///   - follows: Whether the batch follows. It is called last; if it returns `true`, the batch is
  ///     on its way, with nothing in between. All submitters wait meanwhile.
  package func submitAhead(
    _ batch: Batch, _ durability: Durability, isAwaited: Bool, from first: RecordNumber,
    if follows: () -> Bool
  ) throws(LogError) -> Receipt? {
    let append = try append(of: batch)
    // A relaxed batch is shown, which is enough for most callers; some read it in the log.
    let isPatient = durability == .relaxed && !isAwaited && head.waiterCount == 0
    let isTaken = writer.submitAhead(append.ready, durability, isPatient: isPatient) {
      guard follows() else { return false }
      underWay.note(CollectionOfOne(batch), from: first)
      return true
    }
    return isTaken ? append.receipt : nil
  }

  /// Announces, from a callback about a batch, that its consequences are about to be submitted; if
  /// they follow soon, one flush serves both.
  package func expectMore() { writer.expect() }

  /// Announces that the expected batches will not follow.
  package func expectNothing() { writer.expectNothing() }

  /// Announces that someone waits for what was submitted ahead, which then doesn't wait for others.
  package func hurry() { writer.hurry() }

  /// Wakes the log's thread if something has arrived.
  package func wakeWriter() { writer.wake() }

  private func append(
    of batch: Batch
  ) throws(LogError) -> (ready: LogWriter.Append, receipt: Receipt) {
    precondition(!batch.isEmpty, "an empty batch has no numbers")
    try checkLimits(batch)
    let receipt = Receipt(count: batch.count)
    return (LogWriter.Append(batch: batch, reply: .receipt(receipt)), receipt)
  }
}
