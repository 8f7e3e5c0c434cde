import EventStore

extension Timestamp {
  /// Returns the moment after a duration.
  func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(rawValue: rawValue + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// Returns the time, in whole seconds, of one of several events spaced evenly from this moment to
  /// another.
  func part(_ number: Int, of count: Int, to end: Timestamp) -> Timestamp {
    let step = end.milliseconds(since: self) / Int64(max(count, 1))
    return Timestamp(rawValue: (rawValue + step * Int64(number)) / 1000 * 1000)
  }
}
