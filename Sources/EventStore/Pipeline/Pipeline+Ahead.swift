import LMDB

/// Showing batches before the log's own thread has taken them up.
///
/// Waking that thread takes longer than reducing an event. So where nothing is on its way but what
/// was submitted so, whoever submits a batch puts it into the log's queue and reduces it himself,
/// as it is going to stand in the log; when the thread writes it, it is found reduced, or being
/// reduced, and left to who does. Where the log was longer than was known, as another process had
/// written, what was reduced is taken back, as after a commit that failed.
extension Pipeline {
  /// How long is waited for the views, which another thread may have for a moment to end a frame:
  /// much less than it takes until the log's thread has written a batch.
  private static let moment = Duration.microseconds(50)

  /// Submits a batch and shows it; `nil` where that can't be, and nothing was done.
  ///
  /// - Parameter isAwaited: Whether who calls is going to wait until it is durable.
  func submitAhead(
    _ batch: Batch, _ durability: Durability, isAwaited: Bool, to log: Log
  ) throws(LogError) -> Receipt? {
    let receipt = try stage.withIfAvailable(within: Self.moment) { workspace throws(LogError) in
      try submitAhead(batch, durability, isAwaited: isAwaited, to: log, workspace)
    }
    return receipt ?? nil
  }

  private func submitAhead(
    _ batch: Batch, _ durability: Durability, isAwaited: Bool, to log: Log,
    _ workspace: Workspace
  ) throws(LogError) -> Receipt? {
    let start = workspace.applied
    let end = batch.end(behind: start)
    guard workspace.isUpToTell else { return nil }
    let first = start.number.advanced(by: 1)
    let submitted = try log.submitAhead(batch, durability, isAwaited: isAwaited, from: first) {
      backlog.withLock { $0.goAhead(from: start, to: end, now: .now) }
    }
    guard let receipt = submitted else { return nil }
    // To wake a thread takes about as long as to reduce an event: where nobody waits for that one,
    // it comes last, and else the event is written while it is being reduced.
    if isAwaited { log.wakeWriter() }
    defer { if !isAwaited { log.wakeWriter() } }
    do {
      _ = try workspace.reduce(
        WrittenRecords(batches: [batch], receipts: [], start: start, end: end))
      noteReducedAhead(workspace.byteCount)
      receipt.becameVisible()
    } catch {
      // The views' thread goes back, and finds out by itself where it can't go on. The log's may
      // have left the batch to who reduces it here.
      backlog.withLock { $0.await(end.number, receipt) }
      spoil()
      serve()
    }
    return receipt
  }

  /// Notes that what went ahead is reduced; the log's thread may have written it meanwhile.
  private func noteReducedAhead(_ bytes: Int) {
    if changeAhead({ $0.reduced(bytes: bytes) }) { serve() }
  }

  /// Changes what goes ahead, and notes in the same step what that found reduced and written; says
  /// whether it was any.
  private func changeAhead(_ change: (inout AheadBatches) -> AheadBatches.Reduced?) -> Bool {
    var isAny = false
    note { backlog in
      guard let reduced = change(&backlog.ahead) else { return false }
      isAny = true
      return backlog.noteReduced(upTo: reduced.last, bytes: reduced.bytes, now: .now)
    }
    return isAny
  }

  /// What of records that the log's thread has written is not reduced ahead of it, nor being
  /// reduced; `nil` where nothing is left to be done.
  func notReducedAhead(_ records: WrittenRecords) -> WrittenRecords? {
    let (aheadCount, isKnown) = backlog.withLock { backlog in
      backlog.written = max(backlog.written, records.end.number)
      return (backlog.ahead.unwrittenCount, backlog.ahead.know(endingAt: records.end))
    }
    // They come again where the log's map had to grow, and more went ahead behind them meanwhile.
    if isKnown { return nil }
    guard aheadCount > 0 else { return records }
    // Hashing takes its time, for which nobody who submits is kept waiting.
    let ends = records.ends(ofFirst: aheadCount)
    var taken: AheadBatches.Taken?
    _ = changeAhead { ahead in
      taken = ahead.take(from: records.start, ends)
      return taken?.reduced
    }
    guard let taken else {
      backlog.withLock { backlog in
        backlog.aheadPause = .now + Backlog.aheadPauseMax
        backlog.await(records)
      }
      spoil()
      return nil
    }
    guard taken.count > 0 else { return records }
    return taken.end == records.end ? nil : records.behindFirst(taken.count, endingAt: taken.end)
  }
}
