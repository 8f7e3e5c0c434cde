import LMDB

/// Views that are not the reducer's.
extension Workspace {
  /// The place of a view that does what a plan says: one of the reducer's, one that somebody else
  /// looks at already, or a new one, of which nothing is built yet.
  ///
  /// Where it is not one of the reducer's it stays until it is released as often as it was held.
  func hold(_ plan: ViewPlan) -> Int {
    if let kept = state.lists.kept.firstIndex(where: { $0.plan.isInterchangeable(with: plan) }) {
      return kept
    }
    if let place = hub.hold(plan) { return place }
    let collection = definitions.place(of: plan)
    let place = hub.add(TransientView(plan: plan, collection: collection), behind: keptCount)
    state.lists.add(KeptView(transient: plan, collection), at: place)
    return place
  }

  /// Looks through some more rows where a view's index is not built yet; says whether it is then.
  func buildSlice(of view: Int) throws -> Bool {
    try requireWhole()
    return try state.lists.buildSlice(
      view, shelf(of: view), atMost: definitions.sliceRowsMax)
  }

  /// Builds the views that somebody looks at and that are not the reducer's, where they are not
  /// there yet: these are other rows than those they were of.
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

  /// How many views are the reducer's; what stands behind them is not.
  var keptCount: Int { state.lists.keptCount }
}

extension ViewPlan {
  /// Whether an index for one plan is one for the other.
  func isInterchangeable(with other: ViewPlan) -> Bool {
    hash == other.hash && residue == nil && other.residue == nil
      && definition.canonicalBytes == other.definition.canonicalBytes
  }
}

extension Hub {
  /// Holds a view that somebody looks at already; returns its place, or `nil` where there is none
  /// that does what the plan says.
  func hold(_ plan: ViewPlan) -> Int? {
    let known = transients.first { $0.value.plan.isInterchangeable(with: plan) }
    guard let place = known?.key else { return nil }
    transients[place]?.holds += 1
    return place
  }

  /// Adds a view that is held once; returns its place, which is the first that is free.
  func add(_ view: TransientView, behind keptCount: Int) -> Int {
    var place = keptCount
    while transients[place] != nil { place += 1 }
    transients[place] = view
    return place
  }

  /// Lets go of a view once; says whether nobody holds it any more.
  ///
  /// The reducer's own views are held by nobody.
  func release(_ place: Int) -> Bool {
    guard let view = transients[place] else { return false }
    transients[place]?.holds -= 1
    guard view.holds == 1 else { return false }
    transients[place] = nil
    return true
  }
}
