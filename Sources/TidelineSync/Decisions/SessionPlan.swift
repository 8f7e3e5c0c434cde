import EventStore
import Tideline

/// Decides whether a server is spoken to at all: whether there is a network and a token, and
/// whether it wants to be left alone.
struct SessionPlan {
  /// Whether there is a network, as far as is known.
  var isOnline = true
  /// Whether the server has refused the token, and no other is there yet.
  private(set) var isUnauthorized = false
  /// Whether the account may not change anything at present.
  private(set) var isForbidden = false
  /// Before which nothing is asked, and why.
  private(set) var quiet: (until: Timestamp, reason: ServerFailure.Reason)?
  /// Until when the server has said that it wants to be left alone, whatever else it answers to.
  private var wantedUntil: Timestamp?
  /// Why the log did not take what was recorded last, and before when nothing is asked therefore.
  private(set) var refusal: (until: Timestamp, error: StoreError)?
  private var failures = 0
  private var refusals = 0

  /// Before which nothing is to be asked; `nil` where it may be now.
  func quietEnd(at now: Timestamp) -> Timestamp? {
    let end = [quiet?.until, wantedUntil, refusal?.until].compactMap(\.self).max()
    return end.flatMap { $0 > now ? $0 : nil }
  }

  /// Whether questions may be asked.
  func mayAsk(at now: Timestamp) -> Bool {
    isOnline && !isUnauthorized && quietEnd(at: now) == nil
  }

  /// Whether operations may be sent.
  func maySend(at now: Timestamp) -> Bool { mayAsk(at: now) && !isForbidden }

  /// Notes that the server has answered; returns whether nobody took what was sent before.
  mutating func succeeded() -> Bool {
    defer { (failures, quiet) = (0, nil) }
    return quiet?.reason == .notSent
  }

  /// Notes a failure; returns whether another token is needed.
  mutating func failed(
    _ failure: ServerFailure, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) -> Bool {
    switch failure.reason {
    case .unauthorized:
      defer { isUnauthorized = true }
      return !isUnauthorized
    case .forbidden: isForbidden = true
    case .notSent, .lostAnswer, .throttled, .server:
      failures += 1
      let wait = backoff.wait(behind: failures, atLeast: failure.retryAfter, draw: draw)
      let end = now.advanced(by: wait)
      quiet = (end, failure.reason)
      if failure.retryAfter != nil { wantedUntil = max(wantedUntil ?? end, end) }
    default: break
    }
    return false
  }

  /// Notes that the log did not take what was recorded.
  mutating func refused(
    _ error: StoreError, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) {
    refusals += 1
    let wait = backoff.wait(behind: refusals, atLeast: nil, draw: draw)
    refusal = (now.advanced(by: wait), error)
  }

  /// Notes that the log takes again what is recorded.
  mutating func recorded() {
    refusals = 0
    refusal?.until = Timestamp(rawValue: 0)
  }

  /// Notes that nothing is missing by what the log did not take.
  mutating func madeUp() { refusal = nil }

  /// Notes that there is another token.
  mutating func authorized() {
    isUnauthorized = false
    restart()
  }

  /// Has the server be asked at once, unless it wants to be left alone, and what the account could
  /// not change be tried again.
  mutating func restart() {
    isForbidden = false
    refusal?.until = Timestamp(rawValue: 0)
    if quiet?.reason != .throttled { quiet = nil }
    failures = 0
  }
}
