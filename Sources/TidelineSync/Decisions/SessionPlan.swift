import EventStore
import Tideline

/// Decides whether a server is spoken to at all: whether there is a network and a token, and
/// whether it wants to be left alone.
struct SessionPlan {
  /// Whether there is a network, as far as is known.
  var isOnline = true
  /// Whether the person lets their data be used.
  var isAllowed = true
  /// Whether there is a token that the server takes.
  var tokens = TokenPlan(hasToken: true)
  /// Whether the account may not change anything at present.
  private(set) var isForbidden = false
  /// The object that could not be changed as the account may not, if none could be since.
  private(set) var forbidden: RowLink?
  /// Before which nothing is asked, and why.
  private(set) var quiet: (wait: Wait, reason: ServerFailure.Reason)?
  /// How long the server has said that it wants to be left alone, whatever else it answers to.
  private(set) var pause: Wait?
  /// Why the log did not take what was recorded last, and before when nothing is asked therefore.
  private(set) var refusal: (wait: Wait?, error: StoreError)?
  private var failures = 0
  private var refusals = 0

  /// Before which nothing is to be asked; `nil` where it may be now.
  func quietEnd(at now: Timestamp) -> Timestamp? {
    [quiet?.wait, pause, refusal?.wait].compactMap { $0?.end(at: now) }.max()
  }

  /// Whether questions may be asked.
  func mayAsk(at now: Timestamp) -> Bool {
    isOnline && isAllowed && tokens.isThere && quietEnd(at: now) == nil
  }

  /// Whether operations may be sent.
  func maySend(at now: Timestamp) -> Bool { mayAsk(at: now) && !isForbidden }

  /// Whether a token is to be asked for.
  func wantsToken(at now: Timestamp) -> Bool {
    isOnline && isAllowed && tokens.isWanted(at: now)
  }

  /// Whether it is waited only because the server could not be reached, or failed.
  func isPutOff(at now: Timestamp) -> Bool {
    isForbidden || quiet.map { $0.reason != .throttled && $0.wait.end(at: now) != nil } ?? false
  }

  /// Notes that the server has answered; returns whether nobody took what was sent before.
  mutating func succeeded() -> Bool {
    defer { (failures, quiet) = (0, nil) }
    tokens.taken()
    return quiet?.reason == .notSent
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

  /// Has nothing be asked for a while: behind what was under way together, and failed together, it
  /// is no longer than behind one of it, unless the server says so.
  private mutating func hush(
    _ failure: ServerFailure, _ now: Timestamp, _ backoff: Backoff, _ draw: UInt64
  ) {
    let end = quiet?.wait.end(at: now)
    if end != nil, failure.retryAfter == nil { return }
    if end == nil { failures += 1 }
    let duration = backoff.wait(behind: failures, atLeast: failure.retryAfter, draw: draw)
    let wait = Wait(duration, from: now)
    if end.map({ $0 < wait.until }) ?? true { quiet = (wait, failure.reason) }
    guard failure.retryAfter != nil else { return }
    if pause?.end(at: now).map({ $0 < wait.until }) ?? true { pause = wait }
  }

  /// Notes that the account may not change an object: where that is so of a second one, it may
  /// change nothing.
  mutating func forbade(_ object: RowLink) {
    if let forbidden, forbidden != object { isForbidden = true }
    forbidden = forbidden ?? object
  }

  /// Notes that the account has changed something.
  mutating func allowed() { (forbidden, isForbidden) = (nil, false) }

  /// Notes that the log did not take what was recorded.
  mutating func refused(
    _ error: StoreError, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) {
    refusals += 1
    let wait = backoff.wait(behind: refusals, atLeast: nil, draw: draw)
    refusal = (Wait(wait, from: now), error)
  }

  /// Notes that the log takes again what is recorded.
  mutating func recorded() {
    refusals = 0
    refusal?.wait = nil
  }

  /// Notes that nothing is missing by what the log did not take.
  mutating func madeUp() { refusal = nil }

  /// Notes that there is another token.
  mutating func authorized() {
    tokens.given()
    restart()
  }

  /// Has the server be asked at once, unless it wants to be left alone, and what the account could
  /// not change be tried again.
  mutating func restart() {
    allowed()
    refusal?.wait = nil
    if quiet?.reason != .throttled { quiet = nil }
    failures = 0
  }
}
