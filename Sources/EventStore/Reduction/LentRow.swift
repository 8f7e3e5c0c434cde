import LMDB

/// A row lent for reading several fields at a time.
package struct LentRow: ~Escapable {
  private let view: RowView
  private let shape: RowShape

  @_lifetime(copy view)
  fileprivate init(_ view: RowView, _ shape: RowShape) {
    self.view = view
    self.shape = shape
  }

  /// The row's id.
  ///
  /// - Complexity: O(n) in its length.
  package var id: String { view.id.text ?? "" }

  /// The bytes of the row's id.
  var idBytes: RawSpan {
    @_lifetime(copy self) get { view.id }
  }

  /// Calls `body` with the stored value of a field, counted from 0, unless it is absent.
  package func withStored(_ field: Int, _ kind: FieldKind, _ body: (StoredValue) -> Void) {
    view.withStored(field, kind, shape, body)
  }

  /// Returns the texts of a field in ascending order of their bytes.
  package func texts(_ field: Field<Set<String>>) -> [String] {
    view.value(field.index, shape, as: [String].self) ?? []
  }

  /// Returns whether the row has a value for a field.
  package func has<Value>(_ field: Field<Value>) -> Bool { view.has(field.index) }

  /// Returns whether a field contains a text, compared by bytes.
  package func has(_ text: String, in field: Field<Set<String>>) -> Bool {
    view.has(text, in: field)
  }
}

extension ReducerState {
  /// Lends a row for reading if it is present and has the given id itself; returns whether it does.
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

  /// Lends a row for reading unless it doesn't exist or was deleted.
  ///
  /// - Complexity: O(1) for a recently changed row; O(log n) for others.
  package mutating func lend(_ row: RowHandle, _ body: (LentRow) -> Void) {
    let shape = shelves[Int(row.collection)].shape
    do throws(RowError) {
      try shelves[Int(row.collection)].table.withRow(row.row) { view in
        guard let view, view.isPresent else { return }
        body(LentRow(view, shape))
      }
    } catch {
      fail(error)
    }
  }
}
