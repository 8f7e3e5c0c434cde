package import EventStore

/// Renumbers the records to which an event refers.
private struct EventRenumberer: EventCoder {
  let numbers: Renumbering

  mutating func code<Value: EventValue>(_ field: Int, _ name: String, _ value: inout Value) {
    if let part = value as? any EventPart {
      if let new = renumbered(part) as? Value { value = new }
    } else {
      replace(&value, by: numbers.record)
    }
  }

  mutating func code<Value: EventValue>(_ field: Int, _ name: String, last place: inout Value) {
    replace(&place, by: numbers.place)
  }

  mutating func code(object: inout ObjectFields) {}

  private func replace<Value>(
    _ value: inout Value, by number: (RecordNumber) -> RecordNumber
  ) {
    if let old = value as? RecordNumber {
      if let new = number(old) as? Value { value = new }
    } else if let old = value as? [RecordNumber] {
      if let new = old.map(number) as? Value { value = new }
    }
  }

  private mutating func renumbered(_ part: some EventPart) -> any EventPart {
    var part = part
    part.code(&self)
    return part
  }
}

/// The new numbers of records in another log.
package struct Renumbering {
  /// Returns the number of a record to which another refers.
  let record: (RecordNumber) -> RecordNumber
  /// Returns the number of the last of all records up to one.
  let place: (RecordNumber) -> RecordNumber

  /// A renumbering of the records, with the same one for the last of many unless there is another.
  package init(
    record: @escaping (RecordNumber) -> RecordNumber,
    place: ((RecordNumber) -> RecordNumber)? = nil
  ) {
    (self.record, self.place) = (record, place ?? record)
  }
}

extension FieldedEvent {
  fileprivate func renumbered(_ numbers: Renumbering) -> Self {
    var (event, coder) = (self, EventRenumberer(numbers: numbers))
    event.code(&coder)
    return event
  }
}

extension Record {
  /// Returns the record with renumbered references to other records; a record that has none, or
  /// can't be read, stays as it is.
  package func renumbered(_ numbers: Renumbering) -> Record {
    guard let event = try? EventCatalog.event(of: self) as? any FieldedEvent else { return self }
    guard let payload = Self.payload(of: event, numbers) else { return self }
    return Record(number: self.number, header: header, payload: payload)
  }

  private static func payload(
    of event: some FieldedEvent, _ numbers: Renumbering
  ) -> [UInt8]? {
    let renumbered = event.renumbered(numbers)
    return renumbered == event ? nil : renumbered.payload
  }

  /// The name of the only entity of the record's event, whose fingerprint is in the header; `nil`
  /// if there is none.
  package var entityName: String? {
    guard let account = header.login?.account,
      let entity = try? EventCatalog.event(of: self).entity
    else { return nil }
    return entity.text(in: account)
  }
}
