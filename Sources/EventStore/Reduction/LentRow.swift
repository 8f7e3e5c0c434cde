import LMDB

/// A row that is lent to be read, several fields at a time.
package struct LentRow: ~Escapable {
  private let view: RowView
  private let shape: RowShape

  @_lifetime(copy view)
  fileprivate init(_ view: RowView, _ shape: RowShape) {
    self.view = view
    self.shape = shape
  }

  /// Its id.
  ///
  /// - Complexity: O(n) in its length.
  package var id: String { view.id.text ?? "" }

  /// Calls `body` with what the row holds of a field, counted from 0, unless it is absent.
  package func withStored(_ field: Int, _ kind: FieldKind, _ body: (StoredValue) -> Void) {
    view.withStored(field, kind, shape, body)
  }

  /// The texts of a field, in ascending order of their bytes.
  package func texts(_ field: Field<Set<String>>) -> [String] {
    view.value(field.index, shape, as: [String].self) ?? []
  }

  /// Whether it has a value of a field.
  package func has<Value>(_ field: Field<Value>) -> Bool { view.has(field.index) }

  /// Whether a text is among those of a field, by its bytes.
  package func has(_ text: String, in field: Field<Set<String>>) -> Bool {
    view.has(text, in: field)
  }
}

extension ReducerState {
  /// Lends a row to be read, if it is there and has an id of its own; says whether it is.
  mutating func lend(
    _ row: RowHandle, having id: RawSpan, _ body: (LentRow) -> Void
  ) -> Bool {
    let shelf = shelves[Int(row.collection)]
    let isThere = attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { view in
        guard let view, view.isPresent, view.id.equals(id) else { return false }
        body(LentRow(view, shelf.shape))
        return true
      }
    }
    return isThere ?? false
  }

  /// Lends a row to be read, unless there is none, or it was deleted.
  ///
  /// - Complexity: O(1) for a row that was changed lately; O(log n) for another.
  package mutating func lend(_ row: RowHandle, _ body: (LentRow) -> Void) {
    let shelf = shelves[Int(row.collection)]
    do throws(RowError) {
      try shelf.table.withRow(row.row) { view in
        guard let view, view.isPresent else { return }
        body(LentRow(view, shelf.shape))
      }
    } catch {
      fail(error)
    }
  }
}
