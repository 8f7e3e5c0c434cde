extension StoreSnapshot {
  /// The value that a row has of a field, also of one that only reducers see; `nil` where there is
  /// no such row, or it has none.
  ///
  /// - Complexity: O(log n)
  package func value<Value: FieldValue>(
    of field: Field<Value>, in id: String, of collection: RowCollection
  ) -> Value? {
    workspace.state.find(id, in: collection).flatMap { workspace.state[$0, field] }
  }

  /// The ids of all rows of a collection whose field has a value, in the order in which they were
  /// made.
  ///
  /// - Complexity: O(rows that were ever made)
  package func ids<Value: FieldValue>(
    of collection: RowCollection, where field: Field<Value>, is value: Value
  ) -> [String] {
    workspace.state.rows(of: collection)
      .filter { workspace.state[$0, field] == value }
      .map { workspace.state.id(of: $0) }
  }
}
