import EventStore
public import Foundation
import Tideline

/// The response to a refresh request.
public enum RefreshAnswer: Sendable, Hashable {
  /// The refresh began. If a token is being requested, it waits for that.
  case started
  /// A refresh is in progress, and another one follows it.
  case joined
  /// It is too early; this time is the earliest.
  case throttled(until: Date)
  /// Nothing can be asked now, for the reason in ``SyncStatus/obstacle``.
  ///
  /// A refresh begins by itself once that is possible. It does not count as manual and throttles no
  /// other.
  case waiting
  /// The inbox is off, nobody is logged in, synchronization has not begun or is over, or the store
  /// can't be used.
  case disabled
}

/// Decides when to ask a server for news.
///
/// One refresh runs at a time. A single further one follows for all requests made meanwhile,
/// whatever the first one's outcome.
struct RefreshPlan {
  private(set) var isRunning = false
  private(set) var next: RefreshTrigger?
  /// The manual refresh interval that the server requested, in milliseconds, if any.
  var pauseByServer: Int64?
  /// The failure of a part of the refresh.
  var failure: ServerFailure?
  /// The number of refreshes begun.
  private(set) var begun = 0
  /// The number of refreshes that have ended.
  private(set) var over = 0
  /// The outcome of the last refresh that ended, and its failure.
  private(set) var end: (outcome: RefreshOutcome, failure: ServerFailure?)?
  /// The time before which no refresh starts by itself, if one is due.
  private var due: Wait?
  /// Whether the next refresh starts by itself even while the app is not in use.
  private(set) var isOwed = false
  private var failures = 0
  /// The last record when the latest complete refresh began to ask.
  private var covered: RecordNumber?
  /// The record after which a refresh must begin to ask because somebody waits for it.
  private var awaited: RecordNumber?
  /// The interval between automatic refreshes while the app is in use.
  var interval: Duration?
  /// Whether the app is in use.
  var isForeground = true

  /// Returns the time until which manual refreshes are throttled; `nil` if they are allowed.
  ///
  /// Only manual refreshes are throttled, and only by the last accepted one. The server's latest
  /// interval takes precedence over the policy's.
  func throttling(at now: Timestamp, lastByHand: Timestamp?, pause: Int64) -> Timestamp? {
    guard let lastByHand, lastByHand <= now else { return nil }
    // A policy may hold any value.
    let wait = max(pauseByServer ?? pause, 0)
    let (sum, isOver) = lastByHand.rawValue.addingReportingOverflow(wait)
    let free = Timestamp(rawValue: isOver ? .max : sum)
    return now < free ? free : nil
  }

  /// Decides about a refresh and begins it if possible.
  ///
  /// - Parameters:
  ///   - mayBegin: Whether one may begin now; otherwise it begins later.
  ///   - isSoon: Whether the one in progress can go on, at once or soon.
  mutating func want(
    _ trigger: RefreshTrigger, at now: Timestamp, mayBegin: Bool, isSoon: Bool
  ) -> RefreshAnswer {
    if isRunning {
      // One by hand throttles later ones, whoever else wants it too.
      if next != .manual { next = isSoon ? trigger : next ?? .timer }
      return isSoon ? .joined : .waiting
    }
    guard mayBegin else {
      (due, isOwed) = (Wait(until: now, from: now), true)
      return .waiting
    }
    (isRunning, due, isOwed) = (true, nil, false)
    begun += 1
    return .started
  }

  /// Requires a refresh that begins to ask after a record; returns whether the caller must request
  /// it.
  ///
  /// Whether a refresh in progress qualifies is known only when it ends.
  mutating func noteAwaited(_ number: RecordNumber) -> Bool {
    guard !covers(number) else { return false }
    awaited = max(awaited ?? number, number)
    return !isRunning
  }

  /// Ends the refresh; returns the trigger of the next one, if any.
  ///
  /// A failed refresh is retried by itself after a while.
  ///
  /// - Parameter since: The last record when the refresh began to ask.
  mutating func end(
    _ outcome: RefreshOutcome, since: RecordNumber, at now: Timestamp, _ backoff: Backoff,
    draw: UInt64
  ) -> RefreshTrigger? {
    if outcome == .succeeded {
      (covered, failures, isOwed) = (since, 0, false)
      if let awaited, !covers(awaited) { next = next ?? .timer }
      awaited = nil
      due = interval.map { Wait($0, from: now) }
    } else {
      failures += 1
      let wait = backoff.wait(after: failures, atLeast: failure?.retryAfter, draw: draw)
      (due, isOwed) = (Wait(wait, from: now), true)
    }
    defer { next = nil }
    finish(outcome)
    return next
  }

  private mutating func finish(_ outcome: RefreshOutcome) {
    (end, over) = ((outcome, failure), begun)
    (isRunning, failure) = (false, nil)
  }

  /// Cancels the refresh and any that would follow; returns whether one was in progress.
  mutating func cancel() -> Bool {
    let wasRunning = isRunning
    if wasRunning { finish(.cancelled) }
    if next != nil || isOwed {
      // Nobody waits in vain for the one that would have followed.
      begun += 1
      finish(.cancelled)
    }
    (next, awaited, due, isOwed, failures) = (nil, nil, nil, false, 0)
    return wasRunning
  }

  /// Returns when the next refresh starts by itself, which may be now; `nil` if none does in the
  /// app's current state.
  func nextAt(_ now: Timestamp) -> Timestamp? {
    guard isForeground || isOwed, let due else { return nil }
    return due.end(at: now) ?? min(due.until, now)
  }

  /// Returns when a failed refresh is retried; `nil` if none failed or the retry is running.
  func retryAt(_ now: Timestamp) -> Timestamp? {
    failures > 0 && !isRunning ? nextAt(now) : nil
  }

  /// Schedules another refresh for a time.
  ///
  /// - Parameter isOwed: Whether it starts even while the app is not in use.
  mutating func tryAgain(at moment: Timestamp, from now: Timestamp, isOwed: Bool = false) {
    (due, self.isOwed) = (Wait(until: moment, from: now), self.isOwed || isOwed)
  }

  /// Notes that the results of the last refresh may be missing.
  mutating func forgetCovered() { covered = nil }

  /// Notes that only the records up to a number stayed.
  mutating func setBack(to floor: RecordNumber) { covered = covered.map { min($0, floor) } }

  /// Returns whether a complete refresh has begun to ask at or after a record.
  func covers(_ number: RecordNumber) -> Bool { covered.map { $0 >= number } ?? false }
}
