import LMDB

/// Checks of everything that a workspace holds, in all its layers.
extension Workspace {
  /// Checks the invariants of rows, names, indexes and journal, each by itself and together.
  ///
  /// For tests and tools, between two batches. Traps on defects within an in-memory part.
  ///
  /// - Complexity: O(everything), including reading all that is committed.
  /// - Throws: ``ViewsError`` if two parts contradict each other, and whatever the parts throw for
  ///   damaged committed data.
  func checkInvariants() throws {
    for shelf in state.shelves { try shelf.table.checkInvariants() }
    try state.names.checkInvariants()
    var fault: (any Error)?
    forEachFault { fault = fault ?? $0 }
    if let fault { throw fault }
    try demand(state.lists.nets.nets.isEmpty, "something is left of a batch")
    try demand(journal.catalog.last <= applied.number.rawValue, "the journal is ahead of the rows")
    try checkByteCount()
    for listener in state.lists.listeners.joined() {
      let view = state.lists.views[Int(listener.place)]
      try demand(listener.reach == view.builtThrough, "a view is not told of all its rows")
    }
    hub.checkInvariants()
  }

  /// Checks that the running byte count matches the parts.
  private func checkByteCount() throws {
    let rows = state.shelves.reduce(0) { $0 + $1.table.dirtyBytes }
    let nodes = state.lists.kept.reduce(0) { $0 + $1.dirtyBytes }
    try demand(byteCount == rows + nodes + journal.countedBytes, "the frame is counted wrong")
  }

  /// Calls `body` with each inconsistency between rows, names and indexes, and within the journal,
  /// in memory or committed.
  ///
  /// Reports at most two per collection, one per view and one for the journal. Never traps.
  ///
  /// - Complexity: O(everything)
  func forEachFault(_ body: (any Error) -> Void) {
    for place in state.shelves.indices {
      do { try checkTotals(ofShelf: place) } catch { body(error) }
      do { try checkNames(ofShelf: place) } catch { body(error) }
    }
    for view in state.lists.views where view.isBuilt {
      do { try check(view) } catch { body(error) }
    }
    do { try journal.checkInvariants() } catch { body(error) }
  }

  /// Checks that the rows match their running totals.
  private func checkTotals(ofShelf place: Int) throws {
    let shelf = state.shelves[place]
    let counted = try shelf.table.countedTotals()
    try demand(
      counted == shelf.table.totals, "\(shelf.collection.name) is not what was summed up of it")
  }

  /// Checks that each row is found by its id.
  private func checkNames(ofShelf place: Int) throws {
    let shelf = state.shelves[place]
    for id in 0..<shelf.table.totals.lastID {
      let row = RowID(rawValue: id + 1)
      let name = try shelf.table.withRow(row) { view -> [UInt8]? in view?.id.array }
      guard let name else { throw inconsistency("row \(id + 1) is nowhere") }
      let hash = NameHash.of(name.raw, in: shelf.collection.number, seed: definitions.seed)
      let found = try state.names.find(hash) { candidate in
        try shelf.table.withRow(candidate) { $0?.id.equals(name.raw) == true }
      }
      try demand(found == row, "row \(id + 1) of \(shelf.collection.name) is not found by its id")
    }
  }

  /// Checks that an index has exactly the entries that the rows produce, in their order.
  private func check(_ view: KeptView) throws {
    let (shelf, name) = (state.shelves[Int(view.collection)], view.plan.definition.name)
    try view.index.checkInvariants { try shelf.precedes($0, $1, view.plan) }
    let expected = try ListedEntries(of: view.plan, on: shelf)
    var entries: [IndexEntry] = []
    entries.reserveCapacity(view.index.count)
    try view.index.appendEntries(in: 0..<view.index.count, to: &entries)
    try demand(Set(entries) == Set(expected.entries), "the entries of \(name) are not its rows")
    try demand(entries.count == expected.entries.count, "a row is twice in a group of \(name)")
    try demand(view.index.hash == expected.hash, "the hash of \(name) is not that of its keys")
  }

  private func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws(ViewsError) {
    guard condition else { throw inconsistency(what()) }
  }

  private func inconsistency(_ what: String) -> ViewsError { .inconsistent(what) }
}

extension Hub {
  /// Traps if a live view is missing from its list's audience.
  func checkInvariants() {
    var count = 0
    forEachAudience { audience in
      audience.windows.checkInvariants()
      count += audience.windows.count
    }
    precondition(count == lookers.count, "not all who look are in an audience")
    rows.checkInvariants()
  }
}

extension Store {
  /// Checks all invariants of the views, in memory and on disk; for tests and tools.
  ///
  /// Has exclusive access to the views in the meantime. Traps on defects in memory.
  ///
  /// - Complexity: O(everything)
  /// - Throws: ``StoreError`` if something is wrong on disk, or the store is closed.
  public func checkInvariants() throws(StoreError) {
    do {
      let checked: Void? = try stage.with { try $0.checkInvariants() }
      guard checked != nil else { throw StoreError.closed(path: path) }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
