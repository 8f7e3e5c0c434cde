import LMDB

/// Showing a batch before the log's own thread has taken it up.
///
/// Waking that thread takes longer than reducing an event. So where nothing is on its way, whoever
/// submits a batch puts it into the log's queue and reduces it himself, as it is going to stand in
/// the log; when the thread writes it, it is found reduced. Where the log was longer than was
/// known, as another process had written, what was reduced is taken back, as after a commit that
/// failed.
extension Pipeline {
  /// Submits a batch and shows it; `nil` where that can't be, and nothing was done.
  func submitAhead(
    _ batch: Batch, _ durability: Durability, to log: Log
  ) throws(LogError) -> Receipt? {
    let receipt = try stage.withIfAvailable { workspace throws(LogError) in
      try submitAhead(batch, durability, to: log, workspace)
    }
    return receipt ?? nil
  }

  private func submitAhead(
    _ batch: Batch, _ durability: Durability, to log: Log, _ workspace: Workspace
  ) throws(LogError) -> Receipt? {
    let start = workspace.applied
    guard workspace.isUpToTell, backlog.withLock({ $0.goAhead(from: start.number, now: .now) })
    else { return nil }
    var submitted: Receipt?
    defer { if submitted == nil { endAhead() } }
    submitted = try log.submitAlone(batch, durability)
    guard let receipt = submitted else { return nil }
    // To wake a thread takes about as long as to reduce an event, and nobody waits for that one.
    defer { log.wakeWriter() }
    let records = WrittenRecords(
      batches: [batch], receipts: [], start: start, end: batch.end(behind: start))
    do {
      _ = try workspace.reduce(records)
      receipt.becameVisible()
    } catch {
      // The views' thread goes back, and finds out by itself where it can't go on.
      spoil()
    }
    return receipt
  }

  private func endAhead() {
    note { backlog in
      backlog.isAhead = false
      return backlog.isAwaitingFlush
    }
  }

  /// What of records that the log's thread has written was not reduced ahead of it; `nil` where
  /// nothing is left to be done.
  func notReducedAhead(_ records: WrittenRecords) -> WrittenRecords? {
    guard backlog.withLock({ $0.isAhead }) else { return records }
    let end = records.batches[0].end(behind: records.start)
    // Whoever is ahead has the views until the batch is reduced.
    let shown = stage.with { ($0.applied, $0.byteCount) }
    endAhead()
    guard let (applied, bytes) = shown, applied != records.start else { return records }
    guard applied == end else {
      backlog.withLock { backlog in
        backlog.aheadPause = .now + Backlog.aheadPauseMax
        backlog.await(records)
      }
      spoil()
      return nil
    }
    noteReduced(upTo: end.number, bytes: bytes)
    return end == records.end ? nil : records.behindFirst(endingAt: end)
  }
}
