package import EventStore

/// What came of wanting a refresh.
package enum RefreshAnswer: Sendable, Hashable {
  /// It began.
  case started
  /// One is under way, and another begins behind it.
  case joined
  /// It is too early: this moment is not.
  case throttled(until: Timestamp)
  /// There is no inbox at present, or nobody is logged in.
  case disabled
}

/// Decides when a server is asked for news: one refresh at a time, and another behind it for all
/// who wanted one meanwhile, whatever became of the first.
struct RefreshPlan {
  private(set) var isRunning = false
  private(set) var next: RefreshTrigger?
  /// When the last one ended that brought everything.
  private(set) var succeededAt: Timestamp?
  /// How long the server wanted not to be asked by hand again, in milliseconds, if it said so.
  var interval: Int64?
  /// Why a part of it failed.
  var failure: ServerFailure?
  /// When another is to begin, since the last one failed.
  private(set) var retryAt: Timestamp?
  private var failures = 0

  /// Decides about a refresh; begins it where that can be.
  ///
  /// Only those by hand are throttled, by the last one by hand that was accepted: for as long as
  /// the server said last, or else the policy says.
  mutating func want(
    _ trigger: RefreshTrigger, at now: Timestamp, lastByHand: Timestamp?, interval policy: Int64
  ) -> RefreshAnswer {
    if trigger == .manual, let lastByHand {
      let interval = interval ?? policy
      let free = Timestamp(rawValue: lastByHand.rawValue + interval)
      if now < free, lastByHand <= now { return .throttled(until: free) }
    }
    guard !isRunning else {
      next = trigger
      return .joined
    }
    (isRunning, retryAt) = (true, nil)
    return .started
  }

  /// Ends the refresh; returns what leads to the next.
  ///
  /// One that failed is tried again by itself, after a while.
  mutating func end(
    _ outcome: RefreshOutcome, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) -> RefreshTrigger? {
    if outcome == .succeeded {
      (succeededAt, failures) = (now, 0)
    } else {
      failures += 1
      let wait = backoff.wait(behind: failures, atLeast: failure?.retryAfter, draw: draw)
      retryAt = now.advanced(by: wait)
    }
    defer { next = nil }
    (isRunning, failure) = (false, nil)
    return next
  }
}
