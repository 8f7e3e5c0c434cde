import EventStore

/// A period during which something does not happen.
///
/// It also ends if the clock is set back to before its beginning, since the remaining time is then
/// unknown.
struct Wait: Hashable {
  private let since: Timestamp
  /// When the period ends, unless the clock is set.
  let until: Timestamp

  /// Creates a wait that begins now and lasts for a duration.
  init(_ duration: Duration, from now: Timestamp) {
    self.init(until: now.advanced(by: duration), from: now)
  }

  /// Creates a wait that begins now and lasts until a time.
  init(until: Timestamp, from now: Timestamp) { (since, self.until) = (now, until) }

  /// Returns when the wait ends, or `nil` if it is over.
  func end(at now: Timestamp) -> Timestamp? { since <= now && now < until ? until : nil }

  /// Returns the wait, begun again with its whole duration if the clock was set back.
  func begunAgain(ifSetBackAt now: Timestamp) -> Wait {
    guard now < since else { return self }
    return Wait(.milliseconds(until.milliseconds(since: since)), from: now)
  }
}
