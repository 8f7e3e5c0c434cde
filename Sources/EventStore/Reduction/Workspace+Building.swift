import LMDB

extension Workspace {
  /// Builds the indexes of views that are new or were left alone from the current rows, and keeps
  /// all of them up to date from now on.
  ///
  /// The journal has no history of these views; if all of them were left alone, it has no history
  /// at all.
  ///
  /// - Complexity: O(n log n) in the rows of the views' collections; for a view that was left
  ///   alone, in the rows that this frame touched.
  func buildMissingViews() throws {
    let (wasDeferred, last) = (state.lists.isDeferred, applied.number.rawValue)
    let missing = state.lists.kept.filter { wasDeferred || !$0.isBuilt }
    try requireAll()
    state.lists.endPuttingOff()
    journal.advance(to: last)
    for view in missing { journal.begin(view.stream, after: last) }
    for shelf in state.shelves where wasDeferred {
      journal.begin(.rows(of: shelf.collection.number), after: last)
    }
  }

  /// Builds the indexes of all of the reducer's views that are new or were left alone.
  func requireAll() throws {
    for place in state.lists.kept.indices { try require(place) }
  }

  /// Builds the index of one of the reducer's views if it is new or was left alone.
  ///
  /// - Complexity: As for building all of them.
  func require(_ view: Int) throws {
    guard view < keptCount, !state.lists.views[view].isBuilt else { return }
    try requireWhole()
    try failing {
      try state.lists.require(view, state.shelves, isWithinEvent: false)
      state.lists.endBatch()
    }
  }

  /// Returns the ranks of a list in its view's index, building the index if it was left alone.
  func ranks(of list: ListID) throws -> Range<Int> {
    try require(list.view)
    return try state.lists.ranks(list.view, group: list.group)
  }

  /// Returns whether the file lacks a view as currently defined.
  func isAnyViewNew() throws -> Bool {
    let known = try base?.file.readMeta()?.views ?? []
    return state.lists.kept.contains { view in
      !known.contains { $0.name == view.plan.definition.name && $0.hash == view.plan.hash }
    }
  }
}

extension KeptView {
  /// Indexes the rows from a number on, as they are or, within an event, were before it; the index
  /// has none of these rows and is up to date with earlier ones.
  ///
  /// - Complexity: O(n log n) in the rows.
  func add(from first: UInt32, of shelf: Shelf, isWithinEvent: Bool) throws {
    let listed = try ListedEntries(of: plan, on: shelf, from: first, isWithinEvent: isWithinEvent)
    try insert(listed.entries, of: shelf, isWithinEvent: isWithinEvent)
    index.hash &+= listed.hash
  }

  /// Inserts entries, in any order, none of which the index has yet; existing entries are ordered
  /// by their rows' keys as they are or, within an event, were before it.
  ///
  /// - Complexity: O(n log n) in the entries.
  func insert(_ entries: [IndexEntry], of shelf: Shelf, isWithinEvent: Bool = false) throws {
    let plan = plan
    let order = try WordOrder(count: entries.count) {
      entries[$0].words
    } _: { left, right throws(RowError) in
      try shelf.precedes(entries[left].row, entries[right].row, beforeEvent: isWithinEvent, plan)
    }
    var ranks = (0..<order.count).makeIterator()
    if index.count == 0 {
      try index.build { ranks.next().map { entries[order[$0]] } }
    } else {
      var ties = RowTies(plan, shelf, isWithinEvent)
      try index.merge(&ties) { ranks.next().map { entries[order[$0]] } }
    }
  }
}

/// Orders entries whose words are equal by the keys of their rows.
private struct RowTies: TieBreaker {
  private let plan: ViewPlan
  private let shelf: Shelf
  private let isWithinEvent: Bool

  init(_ plan: ViewPlan, _ shelf: Shelf, _ isWithinEvent: Bool) {
    (self.plan, self.shelf, self.isWithinEvent) = (plan, shelf, isWithinEvent)
  }

  func precedes(_ entry: RowID, _ token: RowID) throws(RowError) -> Bool {
    try shelf.precedes(entry, token, beforeEvent: isWithinEvent, plan)
  }
}

extension Shelf {
  /// Calls `body` with each row, from a number on, that is present or was before the present event.
  func forEachRow(
    from first: UInt32 = 1, beforeEvent: Bool, _ body: (RowID, RowView) -> Void
  ) throws(RowError) {
    guard beforeEvent else { return try table.forEachRow(from: first, body) }
    for id in first..<max(first, table.totals.lastID + 1) {
      let id = RowID(rawValue: id)
      try table.withRowBeforeEvent(id) { row in
        if let row, row.isPresent { body(id, row) }
      }
    }
  }

  /// Returns whether one row precedes another of the same group, or did before the present event.
  func precedes(
    _ left: RowID, _ right: RowID, beforeEvent: Bool = false, _ plan: ViewPlan
  ) throws(RowError) -> Bool {
    var result: Result<Bool, RowError> = .success(false)
    try withRow(left, beforeEvent) { left in
      guard let left else { return }
      do throws(RowError) {
        try withRow(right, beforeEvent) { right in
          guard let right else { return }
          result = .success(plan.compare(left, right) < 0)
        }
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  /// Calls `body` with a row as it is, or was before the present event.
  func withRow(
    _ id: RowID, _ beforeEvent: Bool, _ body: (RowView?) -> Void
  ) throws(RowError) {
    if beforeEvent {
      try table.withRowBeforeEvent(id, body)
    } else {
      try table.withRow(id, body)
    }
  }
}
