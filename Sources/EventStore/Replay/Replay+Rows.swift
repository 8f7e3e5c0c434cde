extension Replay {
  /// The rows, until the replay starts over.
  package var foldedRows: FoldedRows { FoldedRows(workspace, path: log.path) }

  /// Calls `body` with each present row of a collection, in the order of their creation.
  ///
  /// - Complexity: O(rows ever created)
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func forEachRow(
    of collection: RowCollection, _ body: (RowID, RowView) -> Void
  ) throws(StoreError) {
    try foldedRows.forEachRow(of: collection, body)
  }

  /// Calls `body` with a row, or with `nil` if no row ever had that number; a deleted row is not
  /// present.
  ///
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func withRow<R>(
    _ row: RowID, of collection: RowCollection, _ body: (RowView?) -> R
  ) throws(StoreError) -> R {
    try foldedRows.withRow(row, of: collection, body)
  }

  /// Calls `body` with each id that refers to a row with another id, and with that row, which may
  /// have been deleted.
  ///
  /// - Complexity: O(rows ever created)
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func forEachAlias(
    of collection: RowCollection, _ body: (String, RowID) -> Void
  ) throws(StoreError) {
    try foldedRows.forEachAlias(of: collection, body)
  }

  /// Advances by up to `limit` records; returns whether it is at the last.
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
}

extension Store {
  /// Returns a replay before the first record, to advance with ``Replay/step(to:atMost:)``.
  ///
  /// - Throws: ``StoreError``.
  package func beginning() throws(StoreError) -> Replay {
    let parts = try parts
    do { return try Replay(beginningOf: parts.log, parts.replayed) } catch {
      throw StoreError(error, path: path)
    }
  }
}
