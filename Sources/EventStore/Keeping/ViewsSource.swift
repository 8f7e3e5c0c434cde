/// What shown views are read from: a generation, made from a copy of the log.
struct ViewsSource: Equatable, Sendable {
  /// The generation's number.
  let generation: UInt64
  /// The copy of the log.
  let incarnation: StoreID

  /// Creates the source of open views.
  init(_ views: OpenViews) {
    (generation, incarnation) = (views.generation.number, views.incarnation)
  }
}
