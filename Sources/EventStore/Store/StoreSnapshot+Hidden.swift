import LMDB

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
}

extension StoreSnapshot {
  /// The id of the row that an id finds, which may be another; `nil` where there is no such row.
  ///
  /// - Complexity: O(log n)
  package func rowID(foundBy id: String, in collection: RowCollection) -> String? {
    workspace.state.find(id, in: collection).map { workspace.state.id(of: $0) }
  }

  /// The values that a row has of some fields, also of those that only reducers see; `nil` where
  /// there is no such row.
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

  /// How many rows of a collection there are, shown or not.
  ///
  /// - Complexity: O(1)
  /// - Precondition: The collection is one of the reducer's.
  package func rowCount(of collection: RowCollection) -> UInt64 {
    workspace.state.shelves[Int(workspace.state.place(of: collection))].table.totals.count
  }

  /// The ids that find a row, whether it is there or was deleted: its own, then the others; none
  /// where there never was one.
  ///
  /// - Complexity: O(rows that were ever made)
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
  /// Calls `body` with each id that finds a row which has another, and that row.
  ///
  /// - Complexity: O(rows that were ever made)
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
