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
}
