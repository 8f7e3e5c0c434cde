import EventStore

extension Timestamp {
  /// The moment so long after.
  func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(rawValue: rawValue + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// How many milliseconds it is after another.
  func milliseconds(since other: Timestamp) -> Int64 { rawValue - other.rawValue }
}
