extension StoreSnapshot {
  /// Lends a row to be read, unless there is none of that id, or it was deleted; also what only
  /// reducers see of it.
  ///
  /// - Complexity: O(log n)
  package func lend(
    _ id: RawSpan, in collection: RowCollection, _ body: (LentRow) -> Void
  ) {
    guard let row = workspace.state.find(id, in: collection) else { return }
    workspace.state.lend(row, body)
  }

  /// Lends a row to be read, unless it is not there.
  ///
  /// - Complexity: O(log n)
  package func lend(_ row: RowID, in collection: RowCollection, _ body: (LentRow) -> Void) {
    workspace.state.lend(handle(row, collection), body)
  }

  /// A row, or `nil` where it is not there.
  ///
  /// - Complexity: O(log n)
  package func row(_ row: RowID, in collection: RowCollection) throws -> Row? {
    let shelf = workspace.state.shelves[Int(workspace.state.place(of: collection))]
    return try shelf.isPresent(row) ? try workspace.row(row, on: shelf) : nil
  }

  /// The rows of a list at those indices, to be lent: fewer where it has fewer.
  ///
  /// - Complexity: O(log *n* + rows)
  package func rowIDs(of list: ListName, in window: Range<Int>) throws -> [RowID] {
    let list = id(of: list)
    let ranks = try ranks(list)
    let part = window.clamped(to: 0..<ranks.count)
    return try workspace.state.lists.views[list.view].index.rows(
      in: ranks.lowerBound + part.lowerBound..<ranks.lowerBound + part.upperBound)
  }

  /// The row that an id finds, given by its UTF-8; `nil` where there is none.
  ///
  /// - Complexity: O(log n)
  package func row(foundBy id: RawSpan, in collection: RowCollection) -> RowID? {
    workspace.state.find(id, in: collection)?.row
  }

  /// The id of a row, or `nil` where it is not there.
  ///
  /// - Complexity: O(n) in its length.
  package func id(of row: RowID, in collection: RowCollection) -> String? {
    let id = workspace.state.id(of: handle(row, collection))
    return id.isEmpty ? nil : id
  }

  /// The row that was made last, there or not; `nil` where none ever was.
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
