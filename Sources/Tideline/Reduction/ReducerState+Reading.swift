import EventStore

/// Several fields of a row, read together.
///
/// These are here rather than with what they call so that they are compiled for the types that they
/// are called with.
extension ReducerState {
  /// What `body` finds in a row, or `nil` where there is none, or it was deleted.
  mutating func read<Found>(_ row: RowHandle, _ body: (LentRow) -> Found) -> Found? {
    var found: Found?
    lend(row) { found = body($0) }
    return found
  }
}

extension LentRow {
  /// The value of a field, or `nil` where it has none.
  subscript<Value: FieldValue>(field: Field<Value>) -> Value? {
    var value: Value?
    withStored(field.number - 1, Value.fieldKind) { value = Value(stored: $0) }
    return value
  }
}
