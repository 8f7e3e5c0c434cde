import EventStore

/// A stretch of time before whose end something does not happen.
///
/// It is over as well where the clock was set back to before its beginning: nobody knows then how
/// much of it is left.
struct Wait: Hashable {
  private let since: Timestamp
  /// When it is over, as long as nobody sets the clock.
  let until: Timestamp

  /// One that begins now, and lasts so long.
  init(_ duration: Duration, from now: Timestamp) {
    self.init(until: now.advanced(by: duration), from: now)
  }

  /// One that begins now, and lasts until a moment.
  init(until: Timestamp, from now: Timestamp) { (since, self.until) = (now, until) }

  /// When it is over; `nil` where it is.
  func end(at now: Timestamp) -> Timestamp? { since <= now && now < until ? until : nil }
}
