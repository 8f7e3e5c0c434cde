import LMDB

/// Views that aren't the reducer's.
extension Workspace {
  /// Returns the place of a view that fits a plan: one of the reducer's, one that is already
  /// observed, or a new one with nothing built yet.
  ///
  /// A view that isn't the reducer's stays until it is released as often as it was held.
  func hold(_ plan: ViewPlan) -> Int {
    if let kept = state.lists.kept.firstIndex(where: { $0.plan.isInterchangeable(with: plan) }) {
      return kept
    }
    if let place = hub.hold(plan) { return place }
    let collection = definitions.place(of: plan)
    let place = hub.add(TransientView(plan: plan, collection: collection), after: keptCount)
    state.lists.add(KeptView(transient: plan, collection), at: place)
    return place
  }

  /// Scans more rows if a view's index isn't built yet; returns whether it now is.
  func buildSlice(of view: Int) throws -> Bool {
    try requireWhole()
    return try state.lists.buildSlice(
      view, shelf(of: view), atMost: definitions.sliceRowsMax)
  }

  /// Builds the observed views that aren't the reducer's, where this workspace lacks them: their
  /// indexes covered another one's rows.
  ///
  /// - Complexity: O(n log n) in the rows of the views' collections.
  func adopt(_ views: [Int: TransientView]) throws {
    for (place, view) in views.sorted(by: { $0.key < $1.key }) {
      let isThere = place < state.lists.views.count && state.lists.views[place].plan === view.plan
      if isThere { continue }
      state.lists.add(KeptView(transient: view.plan, view.collection), at: place)
      try state.lists.build(place, state.shelves, isWithinEvent: false)
    }
  }

  /// The number of views that are the reducer's; the views after them are not.
  var keptCount: Int { state.lists.keptCount }
}

extension ViewPlan {
  /// Whether an index for one plan also serves the other.
  func isInterchangeable(with other: ViewPlan) -> Bool {
    hash == other.hash && residue == nil && other.residue == nil
      && definition.canonicalBytes == other.definition.canonicalBytes
  }
}

extension Hub {
  /// Holds a view that is already observed; returns its place, or `nil` if none fits the plan.
  func hold(_ plan: ViewPlan) -> Int? {
    let known = transients.first { $0.value.plan.isInterchangeable(with: plan) }
    guard let place = known?.key else { return nil }
    transients[place]?.holds += 1
    return place
  }

  /// Adds a view that is held once, at the first free place, and returns the place.
  func add(_ view: TransientView, after keptCount: Int) -> Int {
    var place = keptCount
    while transients[place] != nil { place += 1 }
    transients[place] = view
    return place
  }

  /// Releases a view once; returns whether nobody holds it any more.
  ///
  /// The reducer's own views are never held.
  func release(_ place: Int) -> Bool {
    guard let view = transients[place] else { return false }
    transients[place]?.holds -= 1
    guard view.holds == 1 else { return false }
    transients[place] = nil
    return true
  }
}
