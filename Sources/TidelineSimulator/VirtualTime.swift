import EventStore

extension Timestamp {
  /// The moment so long after.
  func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(rawValue: rawValue + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// How many milliseconds it is after another.
  func milliseconds(since other: Timestamp) -> Int64 { rawValue - other.rawValue }

  /// The moment of one of several things that happen evenly from this moment to another, in whole
  /// seconds.
  func part(_ number: Int, of count: Int, to end: Timestamp) -> Timestamp {
    let step = end.milliseconds(since: self) / Int64(max(count, 1))
    return Timestamp(rawValue: (rawValue + step * Int64(number)) / 1000 * 1000)
  }
}
