import EventStore
public import Foundation
import Tideline

/// What came of wanting a refresh.
public enum RefreshAnswer: Sendable, Hashable {
  /// It began.
  case started
  /// One is under way, and another begins behind it.
  case joined
  /// It is too early: this moment is not.
  case throttled(until: Date)
  /// There is no inbox at present, nobody is logged in, or the store can't be used.
  case disabled
}

/// Decides when a server is asked for news: one refresh at a time, and another behind it for all
/// who wanted one meanwhile, whatever became of the first.
struct RefreshPlan {
  private(set) var isRunning = false
  private(set) var next: RefreshTrigger?
  /// How long the server wanted not to be asked by hand again, in milliseconds, if it said so.
  var pauseByServer: Int64?
  /// Why a part of it failed.
  var failure: ServerFailure?
  /// When another is to begin by itself, if nothing leads to one before.
  private var dueAt: Timestamp?
  private var failures = 0
  /// The last record that there was when the last one began to ask that brought everything.
  private var covered: RecordNumber?
  /// The last record behind which one has to begin to ask, as somebody waits for that.
  private var awaited: RecordNumber?
  /// After how long another begins by itself while the app is in use.
  var interval: Duration?
  /// Whether the app is in use.
  var isForeground = true

  /// Decides about a refresh; begins it where that can be.
  ///
  /// Only those by hand are throttled, by the last one by hand that was accepted: for as long as
  /// the server said last, or else the policy says.
  mutating func want(
    _ trigger: RefreshTrigger, at now: Timestamp, lastByHand: Timestamp?, pause: Int64
  ) -> RefreshAnswer {
    if trigger == .manual, let lastByHand, lastByHand <= now {
      // A policy may say anything.
      let wait = max(pauseByServer ?? pause, 0)
      let (sum, isOver) = lastByHand.rawValue.addingReportingOverflow(wait)
      let free = Timestamp(rawValue: isOver ? .max : sum)
      if now < free { return .throttled(until: Date(kept: free)) }
    }
    guard !isRunning else {
      next = trigger
      return .joined
    }
    (isRunning, dueAt) = (true, nil)
    return .started
  }

  /// Has one begin to ask behind a record, if none has; returns whether it is to be wanted.
  ///
  /// Behind which one asks that is under way, or begins now, is only known at its end.
  mutating func noteAwaited(_ number: RecordNumber) -> Bool {
    guard !covers(number) else { return false }
    awaited = max(awaited ?? number, number)
    return !isRunning
  }

  /// Ends the refresh; returns what leads to the next.
  ///
  /// One that failed is tried again by itself, after a while.
  ///
  /// - Parameter since: The last record that there was when it began to ask.
  mutating func end(
    _ outcome: RefreshOutcome, since: RecordNumber, at now: Timestamp, _ backoff: Backoff,
    draw: UInt64
  ) -> RefreshTrigger? {
    if outcome == .succeeded {
      (covered, failures) = (since, 0)
      if let awaited, !covers(awaited) { next = next ?? .timer }
      awaited = nil
      dueAt = interval.map(now.advanced)
    } else {
      failures += 1
      let wait = backoff.wait(behind: failures, atLeast: failure?.retryAfter, draw: draw)
      dueAt = now.advanced(by: wait)
    }
    defer { next = nil }
    (isRunning, failure) = (false, nil)
    return next
  }

  /// Ends the refresh, as nobody wants it any more, nor another.
  mutating func cancel() {
    (isRunning, next, awaited, failure, dueAt) = (false, nil, nil, nil, nil)
  }

  /// When another begins by itself; `nil` where none does as long as the app is as it is.
  var nextAt: Timestamp? { isForeground || failures > 0 ? dueAt : nil }

  /// Has another begin by itself at a moment.
  mutating func tryAgain(at moment: Timestamp) { dueAt = moment }

  /// Notes that what one has brought may not be there.
  mutating func forgetCovered() { covered = nil }

  /// Whether one has brought everything that began to ask when there was a record.
  func covers(_ number: RecordNumber) -> Bool { covered.map { $0 >= number } ?? false }
}
