import LMDB

extension Workspace {
  /// Builds the indexes of views that are new, from the rows that there are.
  ///
  /// - Parameter last: The last event that the rows know of, where that isn't the last one applied.
  /// - Complexity: O(n log n) in the rows of the views' collections.
  func buildMissingViews(after last: RecordNumber? = nil) throws {
    if state.lists.isDeferred {
      state.lists.isDeferred = false
      journal.restart(definitions.collections, state.lists.views, after: last ?? applied.number)
    }
    for view in state.lists.views where !view.isBuilt {
      try build(view)
      view.isBuilt = true
    }
  }

  private func build(_ view: KeptView) throws {
    let (shelf, plan) = (state.shelves[Int(view.collection)], view.plan)
    let listed = try ListedEntries(of: plan, on: shelf)
    var entries = listed.entries
    try entries.sort { left, right in
      if left.words != right.words { return left.words < right.words }
      return try shelf.precedes(left.row, right.row, by: plan)
    }
    var next = entries.makeIterator()
    try view.index.build { next.next() }
    view.index.hash = listed.hash
  }
}

extension Shelf {
  /// Whether one row stands before another of the same group.
  func precedes(_ left: RowID, _ right: RowID, by plan: ViewPlan) throws(RowError) -> Bool {
    var result: Result<Bool, RowError> = .success(false)
    try table.withRow(left) { left in
      guard let left else { return }
      do throws(RowError) {
        try table.withRow(right) { right in
          guard let right else { return }
          result = .success(plan.compare(left, right) < 0)
        }
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
