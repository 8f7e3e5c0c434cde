import EventStore

/// Decides when a token is asked for: at first, and where the server does not take the last one.
///
/// Where there is none, or the server takes none of those that come, it is asked for again after a
/// while, later each time.
struct TokenPlan {
  /// Whether there is one that the server may take.
  private(set) var isThere: Bool
  /// Whether there was none before.
  private(set) var isFirst: Bool
  /// Whether one is being asked for.
  private(set) var isAsking = false
  /// Whether it is known that the server takes none: there is no other than the one that it has
  /// refused, or that one it has refused as well.
  private(set) var isMissing = false
  /// Before which none is asked for.
  private var wait: Wait?
  /// How many the server has refused since it took one.
  private var refusals = 0
  /// How often there was none, one time after the other.
  private var failures = 0

  /// One that begins with a token, or has to ask for the first.
  init(hasToken: Bool) { (isThere, isFirst) = (hasToken, !hasToken) }

  /// Before which none is asked for; `nil` where one may be now, or is not wanted.
  func waitEnd(at now: Timestamp) -> Timestamp? {
    isThere || isAsking ? nil : wait?.end(at: now)
  }

  /// Whether one is to be asked for.
  func isWanted(at now: Timestamp) -> Bool {
    !isThere && !isAsking && wait?.end(at: now) == nil
  }

  /// Notes that one is being asked for.
  mutating func ask() { isAsking = true }

  /// Notes that the server does not take the one that there is.
  ///
  /// A second one that it does not take either is not replaced at once: it may take none.
  mutating func refused(at now: Timestamp, _ backoff: Backoff, draw: UInt64) {
    guard isThere else { return }
    (isThere, wait) = (false, nil)
    refusals += 1
    guard refusals > 1 else { return }
    isMissing = true
    wait = Wait(backoff.wait(behind: refusals, atLeast: nil, draw: draw), from: now)
  }

  /// Notes that the server has taken one.
  mutating func taken() {
    refusals = 0
    if isThere { isMissing = false }
  }

  /// Notes that there is another one.
  mutating func given() {
    (isThere, isFirst, isAsking, wait, failures) = (true, false, false, nil, 0)
    isMissing = refusals > 1
  }

  /// Notes that there is none at present.
  mutating func failed(at now: Timestamp, _ backoff: Backoff, draw: UInt64) {
    (isAsking, isMissing) = (false, true)
    failures += 1
    wait = Wait(backoff.wait(behind: failures, atLeast: nil, draw: draw), from: now)
  }

  /// Has one be asked for at once where it is waited for that.
  mutating func hurry() { wait = nil }
}
