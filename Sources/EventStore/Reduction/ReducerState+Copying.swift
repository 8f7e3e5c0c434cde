import LMDB

extension ReducerState {
  /// Gives a row the visible values that another has, those of some fields aside, and leaves what
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

  /// The row of a collection with that name, which may have been deleted.
  ///
  /// - Precondition: The collection is one of the reducer's.
  package func handle(of row: RowID, in collection: RowCollection) -> RowHandle {
    RowHandle(collection: place(of: collection), row: row)
  }

  /// All rows of a collection that are there, in the order in which they were made.
  ///
  /// - Complexity: O(rows that were ever made)
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

extension MutableRow {
  /// Gives some fields the values that a row of the same shape has.
  fileprivate mutating func copy(_ fields: UInt64, from row: RowView) {
    var fields = fields
    while fields != 0 {
      let field = fields.trailingZeroBitCount
      fields &= fields - 1
      guard let kind = shape.kind(of: field) else { continue }
      var isThere = false
      row.withStored(field, kind, shape) { value in
        isThere = true
        set(field, kind, value)
      }
      if !isThere { clear(field, kind) }
    }
  }
}
