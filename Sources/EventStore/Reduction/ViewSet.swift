/// A set of views, asked for each view that a batch concerns.
struct ViewSet {
  private var views: [Bool] = []

  /// Whether no view is in the set.
  var isEmpty: Bool { !views.contains(true) }

  /// Returns whether the set contains a view.
  @inline(__always)
  func contains(_ view: Int) -> Bool { view < views.count && views[view] }

  /// The views, in ascending order.
  var all: [Int] { views.indices.filter { views[$0] } }

  /// Adds or removes a view.
  mutating func set(_ view: Int, _ isThere: Bool) {
    while views.count <= view { views.append(false) }
    views[view] = isThere
  }
}
