import LMDB

extension ReducerState {
  /// The value of a row's field, or `nil` where it has none.
  ///
  /// Setting it does nothing to a row that was deleted. Where the row would become too large the
  /// event is refused in the end.
  ///
  /// - Complexity: O(1) for a row that was changed lately; O(log n) for another.
  /// - Precondition: The field is of the row's collection.
  @inlinable
  public subscript<Value: FieldValue>(row: RowHandle, field: Field<Value>) -> Value? {
    mutating get {
      var value: Value?
      withStored(row, field.index, Value.fieldKind) { value = Value(stored: $0) }
      return value
    }
    set { change(row) { $0[field] = newValue } }
  }

  /// Calls `body` with what a row holds of a field, unless it is absent.
  @usableFromInline
  mutating func withStored(
    _ row: RowHandle, _ field: Int, _ kind: FieldKind, _ body: (StoredValue) -> Void
  ) {
    let shelf = shelves[Int(row.collection)]
    do throws(RowError) {
      try shelf.table.withRow(row.row) { view in
        guard let view, view.isPresent else { return }
        view.withStored(field, kind, shelf.shape, body)
      }
    } catch {
      fail(error)
    }
  }

  /// Whether a row is there and meets a condition on rows of its collection.
  ///
  /// - Complexity: O(tests) for a row that was changed lately; O(log n) for another.
  package mutating func meets(_ condition: ConditionProgram, _ row: RowHandle) -> Bool {
    let shelf = shelves[Int(row.collection)]
    let isMet = attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { view in
        if let view { condition.matches(view) } else { false }
      }
    }
    return isMet ?? false
  }

  /// Changes a row, where it is present; where it would become too large the event is refused.
  @usableFromInline
  package mutating func change(_ row: RowHandle, _ body: (inout MutableRow) -> Void) {
    do throws(RowError) {
      try touch(row.collection).table.edit(row.row, body)
    } catch {
      refuse(error)
    }
  }

  /// Changes several fields of a row, where it is present.
  ///
  /// - Complexity: O(1), amortized, for a row that was changed lately; O(log n) for another.
  /// - Throws: ``Refusal`` where the row would become too large.
  public mutating func edit(
    _ row: RowHandle, _ body: (inout MutableRow) -> Void
  ) throws(Refusal) {
    do throws(RowError) {
      try touch(row.collection).table.edit(row.row, body)
    } catch {
      if case .tooLarge = error { throw Refusal(error.description) }
      fail(error)
    }
  }

  /// Deletes a row.
  ///
  /// Its id finds the same row again, should it come back.
  public mutating func delete(_ row: RowHandle) {
    let shelf = touch(row.collection)
    _ = attempt { () throws(RowError) in try shelf.table.delete(row.row) }
  }

  /// How many rows of a collection there are, but for what the present event does.
  ///
  /// - Complexity: O(1)
  /// - Precondition: The collection is one of the reducer's.
  package func count(of collection: RowCollection) -> UInt64 {
    shelves[Int(place(of: collection))].table.totals.count
  }

  /// The external id of a row.
  ///
  /// - Complexity: O(n) in its length.
  public mutating func id(of row: RowHandle) -> String {
    let shelf = shelves[Int(row.collection)]
    let id = attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { $0?.id.text }
    }
    return (id ?? nil) ?? ""
  }

  /// The row of another collection that a link leads to, which may have been deleted.
  ///
  /// - Precondition: The field is of the row's collection, and links to rows of `collection`.
  public mutating func link(
    _ field: Field<RowID>, of row: RowHandle, to collection: RowCollection
  ) -> RowHandle? {
    guard let target = self[row, field] else { return nil }
    return RowHandle(collection: place(of: collection), row: target)
  }
}
