extension Replay {
  /// Calls `body` with each row of a collection that is there, in the order in which they were
  /// made.
  ///
  /// - Complexity: O(rows that were ever made)
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func forEachRow(
    of collection: RowCollection, _ body: (RowID, RowView) -> Void
  ) throws(StoreError) {
    let shelf = shelf(of: collection)
    try reading { () throws(RowError) in try shelf.table.forEachRow(body) }
  }

  /// Calls `body` with a row, or with `nil` where there was never one of that number; one that was
  /// deleted is not present.
  ///
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func withRow<R>(
    _ row: RowID, of collection: RowCollection, _ body: (RowView?) -> R
  ) throws(StoreError) -> R {
    let shelf = shelf(of: collection)
    return try reading { () throws(RowError) in try shelf.table.withRow(row, body) }
  }

  /// Calls `body` with each id that finds a row which has another, and with that row, which may
  /// have been deleted.
  ///
  /// - Complexity: O(rows that were ever made)
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func forEachAlias(
    of collection: RowCollection, _ body: (String, RowID) -> Void
  ) throws(StoreError) {
    let (shelf, place) = (shelf(of: collection), workspace.state.place(of: collection))
    try reading { () throws(RowError) in try shelf.forEachAlias(at: place, body) }
  }

  /// Goes on by some records at most; says whether it is at the last.
  ///
  /// - Throws: ``StoreError``.
  package func step(to last: RecordNumber, atMost limit: Int) throws(StoreError) -> Bool {
    do {
      let count = try log.read { snapshot in
        try workspace.reduce(from: snapshot, atMost: limit, through: last)
      }
      return count == 0 || workspace.applied.number >= last
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  private func shelf(of collection: RowCollection) -> Shelf {
    workspace.state.shelves[Int(workspace.state.place(of: collection))]
  }

  private func reading<R>(_ body: () throws(RowError) -> R) throws(StoreError) -> R {
    do throws(RowError) { return try body() } catch {
      throw StoreError(error, path: log.path)
    }
  }
}

extension Store {
  /// Rows before the first record, to go on from in ``Replay/step(to:atMost:)``.
  ///
  /// - Throws: ``StoreError``.
  package func beginning() throws(StoreError) -> Replay {
    let parts = try parts
    do { return try Replay(beginningOf: parts.log, parts.definitions) } catch {
      throw StoreError(error, path: path)
    }
  }
}
