import LMDB

/// Showing batches before the log's own thread has taken them up.
///
/// Waking that thread takes longer than reducing an event. So where nothing is on its way but what
/// was submitted so, whoever submits a batch puts it into the log's queue and reduces it himself,
/// as it is going to stand in the log; when the thread writes it, it is found reduced. Where the
/// log was longer than was known, as another process had written, what was reduced is taken back,
/// as after a commit that failed.
extension Pipeline {
  /// How long is waited for the views, which another thread may have for a moment to end a frame:
  /// much less than it takes until the log's thread has written a batch.
  private static let moment = Duration.microseconds(50)

  /// Submits a batch and shows it; `nil` where that can't be, and nothing was done.
  func submitAhead(
    _ batch: Batch, _ durability: Durability, to log: Log
  ) throws(LogError) -> Receipt? {
    let receipt = try stage.withIfAvailable(within: Self.moment) { workspace throws(LogError) in
      try submitAhead(batch, durability, to: log, workspace)
    }
    return receipt ?? nil
  }

  private func submitAhead(
    _ batch: Batch, _ durability: Durability, to log: Log, _ workspace: Workspace
  ) throws(LogError) -> Receipt? {
    let start = workspace.applied
    let end = batch.end(behind: start)
    guard workspace.isUpToTell else { return nil }
    let first = start.number.advanced(by: 1)
    let submitted = try log.submitAhead(batch, durability, from: first) {
      backlog.withLock { $0.goAhead(from: start, to: end, now: .now) }
    }
    guard let receipt = submitted else { return nil }
    // To wake a thread takes about as long as to reduce an event, and nobody waits for that one.
    defer { log.wakeWriter() }
    do {
      _ = try workspace.reduce(
        WrittenRecords(batches: [batch], receipts: [], start: start, end: end))
      noteReducedAhead(workspace.byteCount)
      receipt.becameVisible()
    } catch {
      // The views' thread goes back, and finds out by itself where it can't go on.
      spoil()
    }
    return receipt
  }

  private func noteReducedAhead(_ bytes: Int) {
    let isAwaited = backlog.withLock { backlog in
      backlog.ahead.reduced(bytes: bytes)
      return backlog.ahead.isAwaited
    }
    if isAwaited { backlog.notify() }
  }

  /// What of records that the log's thread has written was not reduced ahead of it; `nil` where
  /// nothing is left to be done.
  func notReducedAhead(_ records: WrittenRecords) -> WrittenRecords? {
    let (aheadCount, isKnown) = backlog.withLock { backlog in
      backlog.written = max(backlog.written, records.end.number)
      return (backlog.ahead.count, backlog.ahead.begin(behind: records.end))
    }
    // They come again where the log's map had to grow, and more went ahead behind them meanwhile.
    if isKnown { return nil }
    guard aheadCount > 0 else { return records }
    // Hashing takes its time, for which nobody who submits is kept waiting.
    let ends = records.ends(ofFirst: aheadCount)
    awaitReducing(records)
    guard let taken = backlog.withLock({ $0.ahead.take(from: records.start, ends) }) else {
      backlog.withLock { backlog in
        backlog.aheadPause = .now + Backlog.aheadPauseMax
        backlog.await(records)
      }
      spoil()
      return nil
    }
    guard taken.count > 0 else { return records }
    noteReduced(upTo: taken.end.number, bytes: taken.bytes)
    return taken.end == records.end ? nil : records.behindFirst(taken.count, endingAt: taken.end)
  }

  /// Returns once what of records is being reduced ahead is reduced, or is not going to be.
  ///
  /// To wait for the views would not do: who submits one batch after another takes them again
  /// before a thread that waited has woken up.
  private func awaitReducing(_ records: WrittenRecords) {
    _ = backlog.withLock(when: { backlog in
      backlog.ahead.isAwaited = !backlog.ahead.areReduced(first: records.batches.count)
      return !backlog.ahead.isAwaited
    }) { _ in }
  }
}
