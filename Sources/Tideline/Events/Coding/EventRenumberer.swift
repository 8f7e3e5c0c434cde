package import EventStore

/// Renumbers the records to which an event refers.
private struct EventRenumberer: EventCoder {
  let number: (RecordNumber) -> RecordNumber

  mutating func code<Value: EventValue>(_ field: Int, _ name: String, _ value: inout Value) {
    if let old = value as? RecordNumber {
      if let new = number(old) as? Value { value = new }
    } else if let old = value as? [RecordNumber] {
      if let new = old.map(number) as? Value { value = new }
    } else if let part = value as? any EventPart {
      if let new = renumbered(part) as? Value { value = new }
    }
  }

  mutating func code(object: inout ObjectFields) {}

  private mutating func renumbered(_ part: some EventPart) -> any EventPart {
    var part = part
    part.code(&self)
    return part
  }
}

extension FieldedEvent {
  fileprivate func renumbered(_ number: @escaping (RecordNumber) -> RecordNumber) -> Self {
    var (event, coder) = (self, EventRenumberer(number: number))
    event.code(&coder)
    return event
  }
}

extension Record {
  /// Returns the record with renumbered references to other records; a record that has none, or
  /// can't be read, stays as it is.
  package func renumbered(_ number: @escaping (RecordNumber) -> RecordNumber) -> Record {
    guard let event = try? EventCatalog.event(of: self) as? any FieldedEvent else { return self }
    let renumbered = Self.payload(of: event, number)
    guard let payload = renumbered else { return self }
    return Record(number: self.number, header: header, payload: payload)
  }

  private static func payload(
    of event: some FieldedEvent, _ number: @escaping (RecordNumber) -> RecordNumber
  ) -> [UInt8]? {
    let renumbered = event.renumbered(number)
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
