import EventStore

/// Decides when to request a token: at first, and after the server refuses the last one.
///
/// If there is none, or the server refuses all, the request is repeated after growing waits.
struct TokenPlan {
  /// Whether there is a token that the server may accept.
  private(set) var isThere: Bool
  /// Whether no token was available before.
  private(set) var isFirst: Bool
  /// Whether a token is being requested.
  private(set) var isAsking = false
  /// Whether the server is known to accept no token: there is none other than the refused one, or
  /// the next one was refused too.
  private(set) var isMissing = false
  /// The time before which no token is requested.
  private var wait: Wait?
  /// The number of tokens refused since one was accepted.
  private var refusals = 0
  /// The number of consecutive requests that gave no token.
  private var failures = 0

  /// Creates a plan that begins with a token or has to request the first one.
  init(hasToken: Bool) { (isThere, isFirst) = (hasToken, !hasToken) }

  /// Returns the time before which no token is requested; `nil` if one may be now or is not needed.
  func waitEnd(at now: Timestamp) -> Timestamp? {
    isThere || isAsking ? nil : wait?.end(at: now)
  }

  /// Returns whether to request a token.
  func isWanted(at now: Timestamp) -> Bool {
    !isThere && !isAsking && wait?.end(at: now) == nil
  }

  /// Returns whether a token that the server may accept is being requested, or is about to be.
  func isComing(at now: Timestamp) -> Bool {
    !isMissing && (isAsking || wait?.end(at: now) == nil)
  }

  /// Notes that a token is being requested.
  mutating func ask() { isAsking = true }

  /// Notes that the server refused the current token.
  ///
  /// A second refused token is not replaced at once, since the server may accept none.
  mutating func refused(at now: Timestamp, _ backoff: Backoff, draw: UInt64) {
    guard isThere else { return }
    (isThere, wait) = (false, nil)
    refusals += 1
    guard refusals > 1 else { return }
    isMissing = true
    wait = Wait(backoff.wait(after: refusals, atLeast: nil, draw: draw), from: now)
  }

  /// Notes that the server accepted a token.
  mutating func taken() {
    refusals = 0
    if isThere { isMissing = false }
  }

  /// Notes that there is a new token.
  mutating func given() {
    (isThere, isFirst, isAsking, wait, failures) = (true, false, false, nil, 0)
    isMissing = refusals > 1
  }

  /// Notes that there is currently no token.
  mutating func failed(at now: Timestamp, _ backoff: Backoff, draw: UInt64) {
    isMissing = true
    delayed(at: now, backoff, draw: draw)
  }

  /// Notes that no token could be fetched, though there may be one.
  mutating func delayed(at now: Timestamp, _ backoff: Backoff, draw: UInt64) {
    isAsking = false
    failures += 1
    wait = Wait(backoff.wait(after: failures, atLeast: nil, draw: draw), from: now)
  }

  /// Ends the wait for the next request.
  mutating func hurry() { wait = nil }
}
