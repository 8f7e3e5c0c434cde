import LMDB

extension ReducerState {
  /// The value of a row's field, or `nil` if it has none.
  ///
  /// Setting a value does nothing if the row was deleted. If the row would become too large, the
  /// event is refused at its end.
  ///
  /// - Complexity: O(1) for a recently changed row; O(log n) for others.
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

  /// Calls `body` with the stored value of a row's field, unless it is absent.
  @usableFromInline
  mutating func withStored(
    _ row: RowHandle, _ field: Int, _ kind: FieldKind, _ body: (StoredValue) -> Void
  ) {
    let shape = shelves[Int(row.collection)].shape
    do throws(RowError) {
      try shelves[Int(row.collection)].table.withRow(row.row) { view in
        guard let view, view.isPresent else { return }
        view.withStored(field, kind, shape, body)
      }
    } catch {
      fail(error)
    }
  }

  /// Returns whether a row is present and meets a condition on rows of its collection.
  ///
  /// - Complexity: O(tests) for a recently changed row; O(log n) for others.
  package mutating func meets(_ condition: ConditionProgram, _ row: RowHandle) -> Bool {
    let shelf = shelves[Int(row.collection)]
    let isMet = attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { view in
        if let view { condition.matches(view) } else { false }
      }
    }
    return isMet ?? false
  }

  /// Changes a row if it is present; refuses the event if the row would become too large.
  @usableFromInline
  package mutating func change(_ row: RowHandle, _ body: (inout MutableRow) -> Void) {
    touch(row.collection)
    do throws(RowError) {
      try shelves[Int(row.collection)].table.edit(row.row, body)
    } catch {
      refuse(error)
    }
  }

  /// Changes several fields of a row if it is present.
  ///
  /// - Complexity: O(1), amortized, for a recently changed row; O(log n) for others.
  /// - Throws: ``Refusal`` if the row would become too large.
  public mutating func edit(
    _ row: RowHandle, _ body: (inout MutableRow) -> Void
  ) throws(Refusal) {
    touch(row.collection)
    do throws(RowError) {
      try shelves[Int(row.collection)].table.edit(row.row, body)
    } catch {
      if case .tooLarge = error { throw Refusal(error.description) }
      fail(error)
    }
  }

  /// Deletes a row.
  ///
  /// If its id comes back, it refers to the same row again.
  public mutating func delete(_ row: RowHandle) {
    touch(row.collection)
    let shelf = shelves[Int(row.collection)]
    _ = attempt { () throws(RowError) in try shelf.table.delete(row.row) }
  }

  /// Returns the number of rows in a collection, not counting the present event's changes.
  ///
  /// - Complexity: O(1)
  /// - Precondition: The collection is one of the reducer's.
  package func count(of collection: RowCollection) -> UInt64 {
    shelves[Int(place(of: collection))].table.totals.count
  }

  /// Returns the external id of a row.
  ///
  /// - Complexity: O(n) in its length.
  public mutating func id(of row: RowHandle) -> String {
    let shelf = shelves[Int(row.collection)]
    let id = attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { $0?.id.text }
    }
    return (id ?? nil) ?? ""
  }

  /// Returns the part of a row's external id behind the first byte like this; empty if it has none.
  ///
  /// - Complexity: O(n) in its length.
  package mutating func id(of row: RowHandle, behind separator: UInt8) -> String {
    let shelf = shelves[Int(row.collection)]
    let id = attempt { () throws(RowError) in
      try shelf.table.withRow(row.row) { $0?.id.behind(separator)?.text }
    }
    return (id ?? nil) ?? ""
  }

  /// Returns the row of another collection that a link refers to; the row may have been deleted.
  ///
  /// - Precondition: The field is of the row's collection and links to rows of `collection`.
  public mutating func link(
    _ field: Field<RowID>, of row: RowHandle, to collection: RowCollection
  ) -> RowHandle? {
    guard let target = self[row, field] else { return nil }
    return RowHandle(collection: place(of: collection), row: target)
  }
}
