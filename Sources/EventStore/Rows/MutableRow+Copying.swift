import LMDB

/// Taking over values of another row.
extension MutableRow {
  /// Copies the values of some fields from a row.
  ///
  /// - Complexity: O(bytes of the row) if the ids are the same and no text or reference is left
  ///   out; otherwise, each text that changes its length moves all bytes after it.
  /// - Precondition: Both rows are present, and of the same shape.
  package mutating func copy(_ fields: UInt64, from row: RowView) {
    // What neither row has needs no look.
    let concerned = fields & (row.presence | view.presence)
    guard !hasSameTail(as: row, butFor: fields) else { return copyWhole(concerned, from: row) }
    for field in FieldNumbers(concerned) {
      guard let kind = shape.kind(of: field) else { continue }
      var isThere = false
      row.withStored(field, kind, shape) { value in
        isThere = true
        set(field, kind, value)
      }
      if !isThere { clear(field, kind) }
    }
  }

  /// Returns whether the bytes behind the slots are a row's, once some fields have its values: the
  /// ids are equal, and no other field has a text or reference.
  private func hasSameTail(as row: RowView, butFor fields: UInt64) -> Bool {
    let others = ~fields & (row.presence | view.presence)
    return others & (shape.variables | shape.references) == 0 && row.id.equals(view.id)
  }

  /// Copies fields from a row, and with them everything behind the slots.
  private mutating func copyWhole(_ fields: UInt64, from row: RowView) {
    settle()
    let start = row.idRange.lowerBound
    replace(start..<count, with: row.bytes.extracting(start..<row.bytes.byteCount))
    for field in FieldNumbers(fields) { setSlot(field, row.slot(field)) }
    setPresence(view.presence & ~fields | row.presence & fields)
  }
}
