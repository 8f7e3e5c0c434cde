extension StoreSnapshot {
  /// Lends the row with an id to `body`, including its reducer-only fields, unless it doesn't exist
  /// or was deleted.
  ///
  /// - Complexity: O(log n)
  package func lend(
    _ id: RawSpan, in collection: RowCollection, _ body: (LentRow) -> Void
  ) {
    guard let row = workspace.state.find(id, in: collection) else { return }
    workspace.state.lend(row, body)
  }

  /// Lends a row to `body`, unless it doesn't exist.
  ///
  /// - Complexity: O(log n)
  package func lend(_ row: RowID, in collection: RowCollection, _ body: (LentRow) -> Void) {
    workspace.state.lend(handle(row, collection), body)
  }

  /// Returns a row, or `nil` if it doesn't exist.
  ///
  /// - Complexity: O(log n)
  package func row(_ row: RowID, in collection: RowCollection) throws -> Row? {
    let shelf = workspace.state.shelves[Int(workspace.state.place(of: collection))]
    return try shelf.isPresent(row) ? try workspace.row(row, on: shelf) : nil
  }

  /// Returns the ids of the rows of a list at the given indices, clamped to the list, for lending.
  ///
  /// - Complexity: O(log *n* + rows)
  package func rowIDs(of list: ListName, in window: Range<Int>) throws -> [RowID] {
    let list = id(of: list)
    let ranks = try ranks(list)
    let part = window.clamped(to: 0..<ranks.count)
    return try workspace.state.lists.views[list.view].index.rows(
      in: ranks.lowerBound + part.lowerBound..<ranks.lowerBound + part.upperBound)
  }

  /// Returns the row that an id, given as UTF-8, finds; `nil` if there is none.
  ///
  /// - Complexity: O(log n)
  package func row(foundBy id: RawSpan, in collection: RowCollection) -> RowID? {
    workspace.state.find(id, in: collection)?.row
  }

  /// Returns the id of a row, or `nil` if the row doesn't exist.
  ///
  /// - Complexity: O(n) in the length of the id.
  package func id(of row: RowID, in collection: RowCollection) -> String? {
    let id = workspace.state.id(of: handle(row, collection))
    return id.isEmpty ? nil : id
  }

  /// Returns the row that was created last, present or not; `nil` if there never was one.
  ///
  /// - Complexity: O(1)
  /// - Precondition: The collection is one of the reducer's.
  package func lastRow(of collection: RowCollection) -> RowID? {
    let place = workspace.state.place(of: collection)
    let last = workspace.state.shelves[Int(place)].table.totals.lastID
    return last == 0 ? nil : RowID(rawValue: last)
  }

  private func handle(_ row: RowID, _ collection: RowCollection) -> RowHandle {
    RowHandle(collection: workspace.state.place(of: collection), row: row)
  }
}
