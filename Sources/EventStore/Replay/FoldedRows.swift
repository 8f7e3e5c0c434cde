/// The rows that records were folded into, with all that only reducers see.
///
/// They move with whatever folds the records, and are not safe for concurrent use.
package struct FoldedRows {
  private let workspace: Workspace
  /// The path to name in errors.
  private let path: String

  init(_ workspace: Workspace, path: String) { (self.workspace, self.path) = (workspace, path) }

  /// Calls `body` with each present row of a collection, in the order of their creation.
  ///
  /// - Complexity: O(rows ever created)
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func forEachRow(
    of collection: RowCollection, _ body: (RowID, RowView) -> Void
  ) throws(StoreError) {
    let shelf = shelf(of: collection)
    try reading { () throws(RowError) in try shelf.table.forEachRow(body) }
  }

  /// Calls `body` with a row, or with `nil` if no row ever had that number; a deleted row is not
  /// present.
  ///
  /// - Precondition: The collection is one of the reducer's.
  /// - Throws: ``StoreError``.
  package func withRow<R>(
    _ row: RowID, of collection: RowCollection, _ body: (RowView?) -> R
  ) throws(StoreError) -> R {
    let shelf = shelf(of: collection)
    return try reading { () throws(RowError) in try shelf.table.withRow(row, body) }
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
    let (shelf, place) = (shelf(of: collection), workspace.state.place(of: collection))
    try reading { () throws(RowError) in try shelf.forEachAlias(at: place, body) }
  }

  private func shelf(of collection: RowCollection) -> Shelf {
    workspace.state.shelves[Int(workspace.state.place(of: collection))]
  }

  private func reading<R>(_ body: () throws(RowError) -> R) throws(StoreError) -> R {
    do throws(RowError) { return try body() } catch {
      throw StoreError(error, path: path)
    }
  }
}
