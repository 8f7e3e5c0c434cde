import LMDB

/// Showing batches before the log's own thread has taken them up.
///
/// Waking that thread takes longer than reducing an event. So if only batches submitted this way
/// are under way, the submitter puts a batch into the log's queue and reduces it itself, as it will
/// appear in the log. When the thread writes the batch, it finds it reduced, or leaves it to
/// whoever is reducing it. If the log was longer than known, because another process had written,
/// what was reduced is taken back, as after a failed commit.
extension Pipeline {
  /// The time to wait for the views, which another thread may hold briefly to end a frame: much
  /// less than the log's thread needs to write a batch.
  private static let moment = Duration.microseconds(50)

  /// Submits a batch and shows it; returns `nil`, with nothing done, if that is impossible.
  ///
  /// - Parameter isAwaited: Whether the caller will wait until the batch is durable.
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
    let end = batch.end(after: start)
    guard workspace.isUpToTell else { return nil }
    let first = start.number.advanced(by: 1)
    let submitted = try log.submitAhead(batch, durability, isAwaited: isAwaited, from: first) {
      backlog.withLock { $0.goAhead(from: start, to: end, now: .now) }
    }
    guard let receipt = submitted else { return nil }
    // Waking a thread takes about as long as reducing an event. If the caller waits for durability,
    // wake it first, so that it writes during the reduction; otherwise, wake it last.
    if isAwaited { log.wakeWriter() }
    defer { if !isAwaited { log.wakeWriter() } }
    do {
      _ = try workspace.reduce(
        WrittenRecords(batches: [batch], receipts: [], start: start, end: end))
      noteReducedAhead(workspace.byteCount)
      receipt.becameVisible()
    } catch {
      // The views' thread goes back, and finds out by itself if it can't go on. The log's thread
      // may have left the batch to this reduction.
      backlog.withLock { $0.addWaiter(receipt, for: end.number) }
      spoil()
      serve()
    }
    return receipt
  }

  /// Notes that the batch ahead is reduced; the log's thread may have written it meanwhile.
  private func noteReducedAhead(_ bytes: Int) {
    if changeAhead({ $0.reduced(bytes: bytes) }) { serve() }
  }

  /// Changes the batches ahead, and notes in the same step what that found reduced and written;
  /// returns whether there was any.
  private func changeAhead(_ change: (inout AheadBatches) -> AheadBatches.Reduced?) -> Bool {
    var isAny = false
    note { backlog in
      guard let reduced = change(&backlog.ahead) else { return false }
      isAny = true
      return backlog.noteReduced(upTo: reduced.last, bytes: reduced.bytes, now: .now)
    }
    return isAny
  }

  /// Returns the written records that are neither reduced ahead nor being reduced, or `nil` if
  /// nothing is left to do.
  func notReducedAhead(_ records: WrittenRecords) -> WrittenRecords? {
    let (aheadCount, isKnown) = backlog.withLock { backlog in
      (backlog.ahead.unwrittenCount, backlog.ahead.know(endingAt: records.end))
    }
    // They come again if the log's map had to grow, and more may have gone ahead after them.
    if isKnown { return nil }
    guard aheadCount > 0 else { return records }
    // Hashing takes time, and must not keep submitters waiting.
    let ends = records.ends(ofFirst: aheadCount)
    var taken: AheadBatches.Taken?
    _ = changeAhead { ahead in
      taken = ahead.take(from: records.start, ends)
      return taken?.reduced
    }
    guard let taken else {
      leaveToLog(records)
      return nil
    }
    guard taken.count > 0 else { return records }
    return taken.end == records.end ? nil : records.behindFirst(taken.count, endingAt: taken.end)
  }
}
