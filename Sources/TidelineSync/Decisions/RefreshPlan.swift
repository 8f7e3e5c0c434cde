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
  /// Nothing can be asked now, which ``SyncStatus/obstacle`` says why: one begins by itself once it
  /// can. It does not count as one by hand, by which others are throttled.
  case waiting
  /// There is no inbox at present, nobody is logged in, synchronization has not begun or is over,
  /// or the store can't be used.
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
  /// How many have begun.
  private(set) var begun = 0
  /// How many of them are over.
  private(set) var over = 0
  /// What came of the last that is over, and why.
  private(set) var end: (outcome: RefreshOutcome, failure: ServerFailure?)?
  /// Before which another does not begin by itself, if one is to.
  private var due: Wait?
  /// Whether another begins by itself also while the app is not in use.
  private var isOwed = false
  private var failures = 0
  /// The last record that there was when the last one began to ask that brought everything.
  private var covered: RecordNumber?
  /// The last record behind which one has to begin to ask, as somebody waits for that.
  private var awaited: RecordNumber?
  /// After how long another begins by itself while the app is in use.
  var interval: Duration?
  /// Whether the app is in use.
  var isForeground = true

  /// Until when there may be none by hand; `nil` where there may be.
  ///
  /// Only those by hand are throttled, by the last one by hand that was accepted: for as long as
  /// the server said last, or else the policy says.
  func throttling(at now: Timestamp, lastByHand: Timestamp?, pause: Int64) -> Timestamp? {
    guard let lastByHand, lastByHand <= now else { return nil }
    // A policy may say anything.
    let wait = max(pauseByServer ?? pause, 0)
    let (sum, isOver) = lastByHand.rawValue.addingReportingOverflow(wait)
    let free = Timestamp(rawValue: isOver ? .max : sum)
    return now < free ? free : nil
  }

  /// Decides about a refresh; begins it where that can be.
  ///
  /// - Parameter mayAsk: Whether the server may be asked now; else it begins once it may.
  mutating func want(
    _ trigger: RefreshTrigger, at now: Timestamp, mayAsk: Bool
  ) -> RefreshAnswer {
    if isRunning {
      next = trigger
      return .joined
    }
    guard mayAsk else {
      (due, isOwed) = (Wait(until: now, from: now), true)
      return .waiting
    }
    (isRunning, due, isOwed) = (true, nil, false)
    begun += 1
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
      (covered, failures, isOwed) = (since, 0, false)
      if let awaited, !covers(awaited) { next = next ?? .timer }
      awaited = nil
      due = interval.map { Wait($0, from: now) }
    } else {
      failures += 1
      let wait = backoff.wait(behind: failures, atLeast: failure?.retryAfter, draw: draw)
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

  /// Ends the refresh, as nobody wants it any more, nor another; says whether there was one.
  mutating func cancel() -> Bool {
    let wasRunning = isRunning
    if wasRunning { finish(.cancelled) }
    (next, awaited, due, isOwed, failures) = (nil, nil, nil, false, 0)
    return wasRunning
  }

  /// When another begins by itself, which may be now; `nil` where none does as long as the app is
  /// as it is.
  func nextAt(_ now: Timestamp) -> Timestamp? {
    guard isForeground || isOwed, let due else { return nil }
    return due.end(at: now) ?? min(due.until, now)
  }

  /// When it is tried again that failed; `nil` where none did, or it is tried now.
  func retryAt(_ now: Timestamp) -> Timestamp? {
    failures > 0 && !isRunning ? nextAt(now) : nil
  }

  /// Has another begin by itself at a moment.
  mutating func tryAgain(at moment: Timestamp, from now: Timestamp) {
    due = Wait(until: moment, from: now)
  }

  /// Notes that what one has brought may not be there.
  mutating func forgetCovered() { covered = nil }

  /// Whether one has brought everything that began to ask when there was a record.
  func covers(_ number: RecordNumber) -> Bool { covered.map { $0 >= number } ?? false }
}
