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
    var (entries, groups, keys, hash): ([IndexEntry], [UInt64], KeyBuffer, UInt64) = ([], [], KeyBuffer(), 0)
    try shelf.table.forEachRow { id, row in
      guard plan.matches(row) else { return }
      groups.removeAll(keepingCapacity: true)
      plan.appendGroups(of: row, to: &groups)
      for group in groups {
        keys.remove()
        let key = plan.appendKey(of: row, in: group, to: &keys)
        entries.append(IndexEntry(plan.words(in: keys.bytes(at: key)), id))
        hash &+= Mixer.hash(keys.bytes(at: key))
      }
    }
    try entries.sort { left, right in
      if left.words != right.words { return left.words < right.words }
      return try Self.precedes(left.row, right.row, on: shelf, plan)
    }
    var next = entries.makeIterator()
    try view.index.build { next.next() }
    view.index.hash = hash
  }

  /// Whether one row stands before another of the same group.
  private static func precedes(
    _ left: RowID, _ right: RowID, on shelf: Shelf, _ plan: ViewPlan
  ) throws -> Bool {
    var result: Result<Bool, RowError> = .success(false)
    try shelf.table.withRow(left) { left in
      guard let left else { return }
      do throws(RowError) {
        try shelf.table.withRow(right) { right in
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
