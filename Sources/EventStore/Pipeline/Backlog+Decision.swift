package import LMDB

extension Backlog {
  /// What the views' thread is to do.
  package enum Action: Hashable, Sendable {
    /// Take back what did not get into the log.
    case takeBack
    /// Reduce what was handed over.
    case reduce
    /// Reduce what is in the log and was not handed over.
    case catchUp
    /// Commit the frame, or go over to what the keeper has committed.
    case endFrame
    /// Go over to what was committed of a frame that was ended.
    case finishFrame
    /// Note what a person sees first.
    case noteScreen
    /// Have the log say no more that the views are left alone, as the frame is to be committed.
    case askToWrite
    /// Have the log flushed, as the frame waits for records that nobody else will flush.
    case askForFlush
    /// Nothing, before it is woken or the time has come.
    case wait(until: Instant?)
    /// End.
    case end
  }

  /// Decides what is next, and takes out what is to be reduced.
  package mutating func next(now: Instant) -> (Action, WrittenRecords?) {
    isAsleep = false
    isAwaitingFlush = false
    // What a follower has not shown yet is shown by whoever looks at the log next.
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
      // Nobody flushes any more: what is not committed is reduced again by whoever opens next.
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

  /// How long after a frame it is noted what a person sees first: once for all frames meanwhile.
  static let screenDelay = Duration.seconds(1)

  /// A flush of what this process wrote is under way, or due; of what another did it is asked for.
  ///
  /// Whether the views may be written is asked behind it: of a log that can't take what was reduced
  /// the answer would be that they never may be, though they go back to where they were.
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

  /// Notes that everything up to a record is on the medium; what arrived behind it may need
  /// another flush.
  package mutating func flushed(upTo last: RecordNumber) {
    durable = max(durable, last)
    hasAskedForFlush = false
  }

  /// Notes that what was handed over has been reduced.
  mutating func reduced(
    _ records: WrittenRecords, _ reduction: Reduction, from start: Instant, to end: Instant
  ) {
    isReducing = false
    handedOver = max(handedOver, records.end.number)
    caughtUp(to: max(reduced, records.end.number), bytes: reduction.bytes, now: end)
    took(
      .nanoseconds(end.nanoseconds - start.nanoseconds), for: records.count,
      adding: reduction.additions)
  }

  /// Notes that records that were handed over don't follow what was reduced; where they begin
  /// before its end, the log has something else there.
  mutating func missed(_ records: WrittenRecords) {
    isReducing = false
    // Catching up goes on behind what is reduced, and mends nothing before.
    if records.start.number <= reduced { isSpoiled = true }
  }

  /// Notes that everything up to a record has been reduced.
  package mutating func caughtUp(to number: RecordNumber, bytes: Int, now: Instant) {
    reduced = number
    // What was reduced ahead may be in the frame before already.
    guard recordBefore < number else { return }
    frameBytes = bytes
    frame.reduced(now: now)
  }

  /// Notes that records were reduced which the log's thread has written, or is writing; says
  /// whether the views' threads have to know.
  package mutating func noteReduced(upTo last: RecordNumber, bytes: Int, now: Instant) -> Bool {
    let isNew = !frame.isDirty
    handedOver = max(handedOver, last)
    caughtUp(to: max(reduced, last), bytes: bytes, now: now)
    return isNew || isAwaitingFlush || isBehind
  }

  /// Notes that a batch is going to be reduced before the log's thread writes it, so that the log
  /// is to end there; says whether that may be: where the views go as far as the log, or as what
  /// was reduced ahead, and nothing is on its way to them.
  package mutating func goAhead(from start: Applied, to end: Applied, now: Instant) -> Bool {
    guard isKeeping, isEmpty, !isReducing, !isSpoiled, !isClosing, !isUrgent, !isAwaitingFlush,
      !ahead.isFull,
      ahead.end.map({ $0 == start }) ?? (reduced == start.number && !isBehind && !isBack),
      aheadPause.map({ $0 <= now }) != false
    else { return false }
    ahead.begin(from: start, endingAt: end)
    return true
  }

  /// How long nothing is reduced ahead after another process wrote in between, or a write failed.
  package static let aheadPauseMax = Duration.seconds(1)

  /// Notes that what the log's thread was writing did not get into the log.
  package mutating func failed(now: Instant) {
    // What went ahead behind it is in the queue still, and gets other numbers.
    if let end = ahead.end, end.number > written { aheadPause = now + Self.aheadPauseMax }
    spoil()
    written = committed
    handedOver = min(handedOver, committed)
  }

  /// Notes that what was reduced is not what the log has, so that the views go back.
  package mutating func spoil() {
    removeAll()
    isSpoiled = true
  }

  /// Notes that the frame is being committed, which goes up to a record.
  mutating func beginCommit(upTo last: RecordNumber) {
    endFrame()
    recordBefore = last
    ahead.beginFrame()
    writing = .underWay
    isUrgent = false
    hasAskedForFlush = false
  }

  /// Notes how far the frame goes that was committed, or that it was not to be any more.
  mutating func endCommit(upTo last: RecordNumber?) {
    writing = .finished
    if let last { inViews = last }
  }

  /// Notes how far the keeper has committed, and what is held in memory beyond that.
  mutating func wentOver(to inViews: RecordNumber, reduced: RecordNumber, bytes: Int) {
    self.inViews = inViews
    // What waits may be in the keeper's views by now; what isn't is in the log.
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

  /// Notes that the views are back at what was committed.
  package mutating func tookBack(to number: RecordNumber) {
    isSpoiled = false
    reduced = number
    frame.committed()
    (frameBytes, bytesBefore, recordBefore) = (0, 0, number)
  }
}
