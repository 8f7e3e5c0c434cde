extension EventKind {
  /// The kind of a record that stands in for a lost one, so that numbers have no gaps.
  ///
  /// The record has no payload, and the time of the record before it. Only
  /// ``Log/salvage(from:into:progress:)`` writes it. Reducers never see it; it counts as refused.
  public static let lost = EventKind(rawValue: 0xFFFF)
}
