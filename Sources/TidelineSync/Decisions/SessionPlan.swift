import EventStore
import Tideline

/// Decides whether to contact a server at all, given the network, the token and the server's wish
/// for a pause.
struct SessionPlan {
  /// Whether there is a network, as far as is known.
  var isOnline = true
  /// Whether the person allows the use of their data.
  var isAllowed = true
  /// The state of the token.
  var tokens = TokenPlan(hasToken: true)
  /// Whether the account may currently change nothing.
  private(set) var isForbidden = false
  /// The object that the account was not allowed to change, if no change succeeded since.
  private(set) var forbidden: RowLink?
  /// The time before which nothing is asked, and the reason.
  private(set) var quiet: (wait: Wait, reason: ServerFailure.Reason)?
  /// Whether nothing is asked because nothing answered, not even in the server's place.
  private var isUnanswered = false
  /// The pause that the server requested, regardless of its other answers.
  var pause: Wait?
  /// Why the log rejected the last records, and the time before which nothing is asked as a result.
  private(set) var refusal: (wait: Wait?, error: StoreError)?
  private var failures = 0
  private var refusals = 0

  /// Returns the time before which nothing is asked; `nil` if asking is allowed now.
  func quietEnd(at now: Timestamp) -> Timestamp? {
    [quiet?.wait, pause, refusal?.wait].compactMap { $0?.end(at: now) }.max()
  }

  /// Returns whether questions may be asked.
  func mayAsk(at now: Timestamp) -> Bool {
    isOnline && isAllowed && tokens.isThere && quietEnd(at: now) == nil
  }

  /// Returns whether a refresh may begin: its first questions wait for a token that is being
  /// requested.
  func mayBegin(at now: Timestamp) -> Bool {
    isReachable(at: now) && quietEnd(at: now) == nil
  }

  /// Returns whether a refresh may begin at once or after a short pause.
  func mayBeginSoon(at now: Timestamp) -> Bool {
    let patience = now.advanced(by: Self.patience)
    return isReachable(at: now) && quietEnd(at: now).map { $0 <= patience } ?? true
  }

  /// The longest pause for which the questions of a refresh wait.
  private static let patience = Duration.seconds(10)

  /// Returns whether there is a network, a token that is there or being requested, and permission.
  private func isReachable(at now: Timestamp) -> Bool {
    isOnline && isAllowed && (tokens.isThere || tokens.isComing(at: now))
  }

  /// Returns whether operations may be sent.
  func maySend(at now: Timestamp) -> Bool { mayAsk(at: now) && !isForbidden }

  /// Returns whether a token should be requested.
  func wantsToken(at now: Timestamp) -> Bool {
    isOnline && isAllowed && tokens.isWanted(at: now)
  }

  /// Returns whether the only obstacle is an unreachable, failing or forbidding server.
  func isPutOff(at now: Timestamp) -> Bool {
    isForbidden || quiet.map { $0.reason != .throttled && $0.wait.end(at: now) != nil } ?? false
  }

  /// Notes that the server has answered; returns whether it was unreachable before.
  mutating func succeeded() -> Bool {
    defer { (failures, quiet) = (0, nil) }
    tokens.taken()
    return quiet != nil && isUnanswered
  }

  /// Notes a failure.
  mutating func failed(
    _ failure: ServerFailure, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) {
    switch failure.reason {
    case .unauthorized: tokens.refused(at: now, backoff, draw: draw)
    case .notSent, .lostAnswer, .throttled, .server: hush(failure, now, backoff, draw)
    default: break
    }
  }

  /// Pauses all questions for a while.
  ///
  /// Requests that ran and failed together cause no longer pause than one of them, unless the
  /// server says otherwise.
  private mutating func hush(
    _ failure: ServerFailure, _ now: Timestamp, _ backoff: Backoff, _ draw: UInt64
  ) {
    let end = quiet?.wait.end(at: now)
    if end != nil, failure.retryAfter == nil { return }
    if end == nil { failures += 1 }
    let duration = backoff.wait(after: failures, atLeast: failure.retryAfter, draw: draw)
    let wait = Wait(duration, from: now)
    if end.map({ $0 < wait.until }) ?? true {
      quiet = (wait, failure.reason)
      isUnanswered = failure.reason == .notSent && failure.status == nil
    }
    guard failure.retryAfter != nil else { return }
    if pause?.end(at: now).map({ $0 < wait.until }) ?? true { pause = wait }
  }

  /// Notes that the account may not change an object.
  ///
  /// After a second such object, the account counts as unable to change anything. What was tried
  /// before says nothing new, and must not keep others from being tried.
  mutating func forbade(_ object: RowLink, isFirst: Bool) {
    if isFirst, let forbidden, forbidden != object { isForbidden = true }
    forbidden = forbidden ?? object
  }

  /// Notes that the account has changed something.
  mutating func allowed() { (forbidden, isForbidden) = (nil, false) }

  /// Notes that the log rejected records.
  ///
  /// What is rejected while a wait lasts belongs to the same failure and prolongs nothing.
  mutating func refused(
    _ error: StoreError, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) {
    if let refusal, refusal.wait?.end(at: now) != nil {
      self.refusal = (refusal.wait, error)
      return
    }
    refusals += 1
    let wait = backoff.wait(after: refusals, atLeast: nil, draw: draw)
    refusal = (Wait(wait, from: now), error)
  }

  /// Notes that the log accepts records again.
  mutating func recorded() {
    refusals = 0
    refusal?.wait = nil
  }

  /// Notes that the rejected content has been made up for.
  mutating func madeUp() { refusal = nil }

  /// Notes that there is a new token.
  mutating func authorized() {
    tokens.given()
    restart()
  }

  /// Allows the server to be asked at once, unless it requested a pause, and forbidden changes to
  /// be retried.
  mutating func restart() {
    allowed()
    refusal?.wait = nil
    if quiet?.reason != .throttled { quiet = nil }
    failures = 0
  }
}
