import EventStore

extension ReducerState {
  /// Writes the content of an event into a row; `nil` if the row does not exist.
  ///
  /// - Throws: ``Refusal`` if the event can't be read or the row would become too large.
  mutating func write<R>(
    into row: RowHandle, _ body: (inout MutableRow) throws(EventError) -> R
  ) throws(Refusal) -> R? {
    var result: Result<R, EventError>?
    try edit(row) { row in
      result = Result { () throws(EventError) in try body(&row) }
    }
    do throws(EventError) { return try result?.get() } catch { throw Refusal(error) }
  }

  /// Writes the object fields of an intent into a row of their own; returns the row.
  mutating func write(
    _ fields: ObjectFields, of kind: ObjectKind, as id: String, in collection: RowCollection,
    _ occasion: Occasion
  ) throws(Refusal) -> RowHandle {
    let row = try row(id, in: collection)
    let payload = fields.payload
    _ = try write(into: row) { row throws(EventError) in
      let said = try kind.write(payload.payloadBytes, of: occasion.number, into: &row).fields
      row[InboxFields.known] = Int64(bitPattern: said)
      row[InboxFields.account] = Int64(occasion.account)
    }
    return row
  }
}
