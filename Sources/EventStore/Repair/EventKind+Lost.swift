extension EventKind {
  /// The kind of a record that stands for one that was lost, so that numbers stay without gaps.
  ///
  /// It has no payload, and the time of the record before it. Only ``Log/salvage(from:into:)``
  /// writes it; no reducer is shown it, and it is among those that were refused.
  public static let lost = EventKind(rawValue: 0xFFFF)
}
