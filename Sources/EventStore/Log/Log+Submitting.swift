extension Log {
  /// Begins to append a batch, and returns at once: what becomes of it the receipt says.
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

  /// As ``submit(_:durability:)``, but only where the batch follows all that was told.
  ///
  /// It does nothing and returns `nil` where the log is closed, anything else is on its way into it
  /// than what was submitted so, or the batch does not follow all that the log's follower was told.
  /// The log's thread knows of the batch only once it is woken, so that what the caller does until
  /// then has the processors to itself. What is relaxed waits for company then, for some
  /// milliseconds at most, unless somebody follows the log.
  ///
  /// - Parameters:
  ///   - isAwaited: Whether somebody is going to wait until it is in the log, for no company then.
  ///   - first: The number that its first record gets then.
  ///   - follows: Whether it follows that: asked last, and where it does the batch is on its way,
  ///     with nothing in between. Everybody who submits waits meanwhile.
  package func submitAhead(
    _ batch: Batch, _ durability: Durability, isAwaited: Bool, from first: RecordNumber,
    if follows: () -> Bool
  ) throws(LogError) -> Receipt? {
    let append = try append(of: batch)
    // What is relaxed is shown, which is all that most wait for; some read it in the log.
    let isPatient = durability == .relaxed && !isAwaited && head.waiterCount == 0
    let isTaken = writer.submitAhead(append.ready, durability, isPatient: isPatient) {
      guard follows() else { return false }
      underWay.note(CollectionOfOne(batch), from: first)
      return true
    }
    return isTaken ? append.receipt : nil
  }

  /// Says, where somebody is told of a batch, that what comes of it is about to be submitted: if
  /// that follows soon, one flush is for both.
  package func expectMore() { writer.expect() }

  /// Says that what was expected does not follow.
  package func expectNothing() { writer.expectNothing() }

  /// Says that somebody waits for what was submitted ahead, so that it waits for no company.
  package func hurry() { writer.hurry() }

  /// Has the log's thread look for what has arrived.
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
