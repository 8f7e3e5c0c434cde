import LMDB

extension StoreSnapshot {
  /// Returns a row's value for a field, including reducer-only fields; `nil` if there is no such
  /// row or it has no value.
  ///
  /// - Complexity: O(log n)
  package func value<Value: FieldValue>(
    of field: Field<Value>, in id: String, of collection: RowCollection
  ) -> Value? {
    workspace.state.find(id, in: collection).flatMap { workspace.state[$0, field] }
  }
}

extension StoreSnapshot {
  /// Returns the id of the row that an id finds, which may differ from it; `nil` if there is no
  /// such row.
  ///
  /// - Complexity: O(log n)
  package func rowID(foundBy id: String, in collection: RowCollection) -> String? {
    workspace.state.find(id, in: collection).map { workspace.state.id(of: $0) }
  }

  /// Returns a row's values for some fields, including reducer-only fields; `nil` if there is no
  /// such row.
  ///
  /// - Complexity: O(log n)
  package func values(
    of fields: [FieldDeclaration], in id: String, of collection: RowCollection
  ) -> PayloadFields? {
    guard let row = workspace.state.find(id, in: collection) else { return nil }
    let bits = fields.reduce(0 as UInt64) { $0 | 1 << UInt64($1.index) }
    let shelf = workspace.state.shelves[Int(row.collection)]
    let values = workspace.state.attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { $0?.values(bits, collection.shape) }
    }
    return values ?? nil
  }

  /// Returns the number of rows in a collection, shown or not.
  ///
  /// - Complexity: O(1)
  /// - Precondition: The collection is one of the reducer's.
  package func rowCount(of collection: RowCollection) -> UInt64 {
    workspace.state.shelves[Int(workspace.state.place(of: collection))].table.totals.count
  }

  /// Returns the ids that find a row, present or deleted: its own, then its aliases; none if it
  /// never existed.
  ///
  /// - Complexity: O(rows ever created)
  package func names(of id: String, in collection: RowCollection) -> [String] {
    guard let row = workspace.state.locate(id, in: collection) else { return [] }
    let shelf = workspace.state.shelves[Int(row.collection)]
    var names = [workspace.state.id(of: row)]
    _ = workspace.state.attempt { () throws(RowError) in
      try shelf.forEachAlias(at: row.collection) { if $1 == row.row { names.append($0) } }
    }
    return names
  }
}

extension Shelf {
  /// Calls `body` with each alias of a row, and that row.
  ///
  /// - Complexity: O(rows ever created)
  func forEachAlias(
    at place: UInt8, _ body: (String, RowID) -> Void
  ) throws(RowError) {
    for number in 0..<table.totals.lastID {
      let row = RowID(rawValue: number + 1)
      let alias = try table.withRow(row) { row -> String? in
        guard let row, row.flags & RowFormat.Flag.alias != 0 else { return nil }
        return row.id.text
      }
      guard let alias else { continue }
      body(alias, try target(of: RowHandle(collection: place, row: row)).row)
    }
  }
}
