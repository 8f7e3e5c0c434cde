package import LMDB

extension Backlog {
  /// The next action of the views' thread.
  package enum Action: Hashable, Sendable {
    /// Take back what did not reach the log.
    case takeBack
    /// Reduce the records that were handed over.
    case reduce
    /// Reduce the records that are in the log and were not handed over.
    case catchUp
    /// Commit the frame, or switch to what the keeper has committed.
    case endFrame
    /// Switch to the committed state of a frame that was ended.
    case finishFrame
    /// Note what a person sees first.
    case noteScreen
    /// Make the log withdraw that the views are left alone, as the frame is to be committed.
    case askToWrite
    /// Ask for a flush of the log, as the frame waits for records that nobody else will flush.
    case askForFlush
    /// Sleep until woken, or until the deadline.
    case wait(until: Instant?)
    /// End the thread.
    case end
  }

  /// Decides the next action, and takes out the records to reduce, if any.
  package mutating func next(now: Instant) -> (Action, WrittenRecords?) {
    isAsleep = false
    isAwaitingFlush = false
    // What a follower has not shown yet is shown by the next process that reads the log.
    if isClosing, !isKeeping { return (.end, nil) }
    guard !isSpoiled else { return (.takeBack, nil) }
    guard writing != .over else { return (.finishFrame, nil) }
    let situation = FrameSchedule.Situation(
      now: now, isBacklogged: !isEmpty || (isBehind && !isClosing),
      bytes: frameBytes - bytesBefore, records: recordBefore.distance(to: reduced),
      isDurable: isCommittable, isUrgent: isUrgent || isClosing,
      isWriting: writing == .underWay)
    switch frame.next(situation) {
    case .reduce:
      guard let first = takeFirst() else { return (.catchUp, nil) }
      isReducing = true
      return (.reduce, first)
    case .commit: return (.endFrame, nil)
    case .awaitCommit: return (sleep(until: nil), nil)
    case .awaitFlush:
      // No more flushes will come: the next process to open the store reduces what is not
      // committed.
      return (isClosing && !isPermissionDue ? endDecision() : flushDecision(), nil)
    case .wait(let deadline):
      if isClosing, !frame.isDirty { return (endDecision(), nil) }
      if let screenDue, screenDue <= now {
        self.screenDue = nil
        return (.noteScreen, nil)
      }
      return (sleep(until: [deadline, screenDue].compactMap { $0 }.min()), nil)
    }
  }

  private mutating func sleep(until deadline: Instant?) -> Action {
    isAsleep = true
    return .wait(until: deadline)
  }

  /// The file must not be closed while a frame is written.
  private mutating func endDecision() -> Action {
    writing == .finished ? .end : sleep(until: nil)
  }

  /// The delay after a frame until what a person sees first is noted, once for all frames since.
  static let screenDelay = Duration.seconds(1)

  /// Decides how to get a flush: one of this process's records is under way or due, and one of
  /// another's is asked for.
  ///
  /// Permission to write the views is requested only after the flush: a log that can't take what
  /// was reduced would refuse it for good, though the views return to where they were.
  private mutating func flushDecision() -> Action {
    isAsleep = true
    isAwaitingFlush = true
    if isPermissionDue, case .unasked = permission {
      permission = .awaited
      return .askToWrite
    }
    if durable < reduced, handedOver < reduced, !hasAskedForFlush {
      hasAskedForFlush = true
      return .askForFlush
    }
    return .wait(until: nil)
  }

  /// Notes that everything up to a record is flushed; later arrivals may need another flush.
  package mutating func flushed(upTo last: RecordNumber) {
    durable = max(durable, last)
    hasAskedForFlush = false
  }

  /// Notes that the records handed over have been reduced.
  mutating func reduced(
    _ records: WrittenRecords, _ reduction: Reduction, from start: Instant, to end: Instant
  ) {
    isReducing = false
    handedOver = max(handedOver, records.end.number)
    caughtUp(to: max(reduced, records.end.number), bytes: reduction.bytes, now: end)
    took(end - start, for: records.count, adding: reduction.additions)
  }

  /// Notes that records handed over don't follow what was reduced; if they begin before its end,
  /// the log has something else there.
  mutating func missed(_ records: WrittenRecords) {
    isReducing = false
    // Catching up continues after what is reduced, and repairs nothing before it.
    if records.start.number <= reduced { isSpoiled = true }
  }

  /// Notes that everything up to a record has been reduced.
  package mutating func caughtUp(to number: RecordNumber, bytes: Int, now: Instant) {
    reduced = number
    // What was reduced ahead may already be in the previous frame.
    guard recordBefore < number else { return }
    frameBytes = bytes
    frame.reduced(now: now)
  }

  /// Notes the reduction of records that the log's thread has written, or is writing; returns
  /// whether the views' threads must know.
  package mutating func noteReduced(upTo last: RecordNumber, bytes: Int, now: Instant) -> Bool {
    let isNew = !frame.isDirty
    handedOver = max(handedOver, last)
    caughtUp(to: max(reduced, last), bytes: bytes, now: now)
    return isNew || isAwaitingFlush || isBehind
  }

  /// Registers a batch that is to be reduced before the log's thread writes it, with the log's
  /// future end; returns whether that is allowed.
  ///
  /// The views must be level with the log, or with what was reduced ahead, and nothing else may be
  /// on its way to them.
  package mutating func goAhead(from start: LogPoint, to end: LogPoint, now: Instant) -> Bool {
    guard isKeeping, isEmpty, !isReducing, !isSpoiled, !isClosing, !isUrgent, !isAwaitingFlush,
      !ahead.isFull,
      ahead.end.map({ $0 == start }) ?? (reduced == start.number && !isBehind && !isBack),
      aheadPause.map({ $0 <= now }) != false
    else { return false }
    ahead.begin(from: start, endingAt: end)
    return true
  }

  /// The time without reducing ahead after another process wrote in between, or a write failed.
  package static let aheadPauseMax = Duration.seconds(1)

  /// Notes that what the log's thread was writing did not reach the log.
  package mutating func failed(now: Instant) {
    // Batches that went ahead after it are still in the queue, and get other numbers.
    if let end = ahead.end, end.number > written { aheadPause = now + Self.aheadPauseMax }
    spoil()
    writingFrom = nil
    written = committed
    handedOver = min(handedOver, committed)
  }

  /// Notes that what was reduced is not what the log has, so that the views go back.
  package mutating func spoil() {
    removeAll()
    isSpoiled = true
  }

  /// Notes that the frame up to a record is being committed.
  mutating func beginCommit(upTo last: RecordNumber) {
    endFrame()
    recordBefore = last
    ahead.beginFrame()
    writing = .underWay
    isUrgent = false
    hasAskedForFlush = false
  }

  /// Notes up to where the frame was committed and how long it took, or `nil` if it was dropped.
  mutating func endCommit(_ written: (applied: LogPoint, took: Duration)?) {
    writing = .finished
    guard let written else { return }
    inViews = written.applied.number
    frame.wrote(in: written.took)
  }

  /// Notes how far the keeper has committed, and what is held in memory beyond that.
  mutating func wentOver(to inViews: RecordNumber, reduced: RecordNumber, bytes: Int) {
    self.inViews = inViews
    // What waits may be in the keeper's views by now; the rest is in the log.
    if reduced > self.reduced { removeAll() }
    self.reduced = reduced
    endFrame()
    (frameBytes, bytesBefore) = (bytes, bytes)
    isUrgent = false
  }

  private mutating func endFrame() {
    frame.committed()
    (frameBytes, bytesBefore, recordBefore) = (0, 0, reduced)
    screenDue = screenDue ?? .now + Self.screenDelay
  }

  /// Notes that the views are back at the committed state.
  package mutating func tookBack(to number: RecordNumber) {
    isSpoiled = false
    reduced = number
    frame.committed()
    (frameBytes, bytesBefore, recordBefore) = (0, 0, number)
  }
}
