import LMDB

extension ReducerState {
  /// Copies the visible values of one row to another, except some fields, and leaves values that
  /// only reducers see.
  ///
  /// - Complexity: O(fields and bytes of both)
  /// - Precondition: The rows are of collections with the same fields.
  package mutating func copyValues(
    from source: RowHandle, to target: RowHandle, except excluded: Set<FieldDeclaration> = []
  ) {
    let (from, to) = (shelves[Int(source.collection)], shelves[Int(target.collection)])
    let shape = to.table.shape
    precondition(from.table.shape == shape, "rows of different fields")
    var fields = shape.visible
    for field in excluded { fields &= ~(1 << UInt64(field.index)) }
    let bytes = attempt { () throws(RowError) in
      try from.table.withRow(source.row) { row -> [UInt8] in
        guard let row, row.isPresent else { return [] }
        return row.bytes.array
      }
    }
    guard let bytes, !bytes.isEmpty else { return }
    change(target) { $0.copy(fields, from: RowView(bytes.raw)) }
  }

  /// Returns the handle of a row in a collection; the row may have been deleted.
  ///
  /// - Precondition: The collection is one of the reducer's.
  package func handle(of row: RowID, in collection: RowCollection) -> RowHandle {
    RowHandle(collection: place(of: collection), row: row)
  }

  /// Returns all present rows of a collection in the order of their creation.
  ///
  /// - Complexity: O(rows ever created)
  /// - Precondition: The collection is one of the reducer's.
  package mutating func rows(of collection: RowCollection) -> [RowHandle] {
    let place = place(of: collection)
    let shelf = shelves[Int(place)]
    var rows: [RowHandle] = []
    _ = attempt { () throws(RowError) in
      try shelf.table.forEachRow { id, _ in rows.append(RowHandle(collection: place, row: id)) }
    }
    return rows
  }
}
