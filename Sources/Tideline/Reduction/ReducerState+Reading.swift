import EventStore

/// Reading several fields of a row together.
///
/// These are declared here, not with the code they call, so that the compiler specializes them.
extension ReducerState {
  /// Returns what `body` finds in a row, or `nil` if the row does not exist or was deleted.
  mutating func read<Found>(_ row: RowHandle, _ body: (LentRow) -> Found) -> Found? {
    var found: Found?
    lend(row) { found = body($0) }
    return found
  }
}

extension LentRow {
  /// The value of a field, or `nil` if absent.
  subscript<Value: FieldValue>(field: Field<Value>) -> Value? {
    var value: Value?
    withStored(field.number - 1, Value.fieldKind) { value = Value(stored: $0) }
    return value
  }
}
