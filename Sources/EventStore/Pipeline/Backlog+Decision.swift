import LMDB

extension Backlog {
  /// What the views' thread is to do.
  enum Action: Hashable {
    /// Take back what did not get into the log.
    case takeBack
    /// Reduce what was handed over.
    case reduce
    /// Reduce what is in the log and was not handed over.
    case catchUp
    /// Commit the frame.
    case commit
    /// Have the log flushed, as the frame waits for records that nobody else will flush.
    case askForFlush
    /// Nothing, before it is woken or the time has come.
    case wait(until: Instant?)
    /// End.
    case end
  }

  /// Decides what is next, and takes out what is to be reduced.
  mutating func next(now: Instant) -> (Action, WrittenRecords?) {
    isAsleep = false
    isAwaitingFlush = false
    guard !isSpoiled else { return (.takeBack, nil) }
    let situation = FrameSchedule.Situation(
      now: now, isBacklogged: !isEmpty || (isBehind && !isClosing), bytes: frameBytes,
      isDurable: reduced <= durable, isUrgent: isUrgent || isClosing)
    switch frame.next(situation) {
    case .reduce:
      guard let first = takeFirst() else { return (.catchUp, nil) }
      return (.reduce, first)
    case .commit: return (.commit, nil)
    // Nobody flushes any more: what is not committed is reduced again by whoever opens next.
    case .awaitFlush: return (isClosing ? .end : flushDecision(), nil)
    case .wait(let deadline):
      if isClosing, !frame.isDirty { return (.end, nil) }
      isAsleep = true
      return (.wait(until: deadline), nil)
    }
  }

  /// A flush of what this process wrote is under way, or due; of what another did it is asked for.
  private mutating func flushDecision() -> Action {
    isAsleep = true
    isAwaitingFlush = true
    if handedOver < reduced, !hasAskedForFlush {
      hasAskedForFlush = true
      return .askForFlush
    }
    return .wait(until: nil)
  }

  /// Notes that what was handed over has been reduced.
  mutating func reduced(_ records: WrittenRecords, bytes: Int, from start: Instant, to end: Instant)
  {
    handedOver = max(handedOver, records.end.number)
    caughtUp(to: max(reduced, records.end.number), bytes: bytes, now: end)
    took(.nanoseconds(end.nanoseconds - start.nanoseconds), for: records.count)
  }

  /// Notes that records that were handed over don't follow what was reduced.
  mutating func missed(_ records: WrittenRecords) {
    if records.end.number <= reduced { isSpoiled = true }
  }

  /// Notes that everything up to a record has been reduced.
  mutating func caughtUp(to number: RecordNumber, bytes: Int, now: Instant) {
    reduced = number
    frameBytes = bytes
    frame.reduced(now: now)
  }

  /// Notes that the frame is being committed.
  mutating func beganCommit() {
    frame.committed()
    frameBytes = 0
    isUrgent = false
    hasAskedForFlush = false
  }

  /// Notes that the views are back at what was committed.
  mutating func tookBack(to number: RecordNumber) {
    isSpoiled = false
    reduced = number
    frame.committed()
    frameBytes = 0
  }
}
