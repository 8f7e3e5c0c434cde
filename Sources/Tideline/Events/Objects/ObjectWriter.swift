package import EventStore

/// Writes the fields of objects, one object after another, each object's in ascending order.
///
/// It is the way for what reads a server's bytes: an object costs two allocations, however many
/// fields it has, and no field is looked at twice. Fields that are put while an item is open are
/// the item's. What a field holds is not checked, nor whether a text is UTF-8: tables of what is
/// read are.
package struct ObjectWriter: ~Copyable {
  /// A list or an item that was begun, and is ended before what is around it.
  package typealias Opening = PayloadWriter.Opening

  private var payload = PayloadWriter(reserving: 1 << 10)
  private var entries: [ObjectFields.Entry] = []
  /// How many lists and items are open.
  private var depth = 0

  /// A writer that has written nothing.
  package init() { entries.reserveCapacity(64) }

  /// How many bytes were put since the last object.
  package var count: Int { payload.count }

  /// The fields that were put since the last object; the next one begins with none.
  package mutating func take() -> ObjectFields {
    precondition(depth == 0, "a list is not ended")
    let fields = ObjectFields(entries: entries.map { $0 }, bytes: payload.take())
    entries.removeAll(keepingCapacity: true)
    return fields
  }

  /// Forgets what was put since the last object.
  package mutating func discard() {
    payload.restart()
    entries.removeAll(keepingCapacity: true)
    depth = 0
  }

  private mutating func note(_ field: ObjectField) {
    guard depth == 0 else { return }
    let start = entries.last?.bytes.upperBound ?? 0
    entries.append(ObjectFields.Entry(number: field.rawValue, bytes: start..<payload.count))
  }
}

extension ObjectWriter {
  /// Puts a text.
  package mutating func put(_ field: ObjectField, utf8: RawSpan) {
    payload.put(field.rawValue, utf8: utf8)
    note(field)
  }

  /// Puts the bytes of JSON, as the server wrote it.
  package mutating func put(_ field: ObjectField, json: RawSpan) {
    payload.put(field.rawValue, json)
    note(field)
  }

  /// Puts a number.
  package mutating func put(_ field: ObjectField, _ value: Int64) {
    payload.put(field.rawValue, value)
    note(field)
  }

  /// Puts a boolean.
  package mutating func put(_ field: ObjectField, _ value: Bool) {
    payload.put(field.rawValue, value)
    note(field)
  }

  /// Puts what has become of the object.
  package mutating func put(_ change: ObjectChange) { put(.change, change.rawValue) }

  /// Puts that there is nothing.
  package mutating func putNull(_ field: ObjectField) {
    payload.putNull(field.rawValue)
    note(field)
  }
}

extension ObjectWriter {
  /// A part of a person, with the number that ``ObjectPerson`` gives it.
  package enum PersonPart: Int, Sendable {
    case name = 1
    case email, unknown
  }

  /// A part of a label, with the number that ``ObjectLabel`` gives it.
  package enum LabelPart: Int, Sendable {
    case id = 1
    case name, displayName, unknown
  }

  /// Begins a list.
  package mutating func beginList(_ field: ObjectField) -> Opening {
    depth += 1
    return payload.beginList(field.rawValue)
  }

  /// Ends the list of a field.
  package mutating func endList(_ field: ObjectField, _ list: Opening) {
    payload.end(list)
    depth -= 1
    note(field)
  }

  /// Puts a text as an item of a list.
  package mutating func item(utf8: RawSpan) { payload.item(utf8: utf8) }

  /// Begins an item that has fields or parts.
  package mutating func beginItem() -> Opening {
    depth += 1
    return payload.beginItem()
  }

  /// Ends an item.
  package mutating func endItem(_ item: Opening) {
    payload.end(item)
    depth -= 1
  }

  /// Puts a text as a part of an item.
  package mutating func put(part number: Int, utf8: RawSpan) { payload.put(number, utf8: utf8) }

  /// Puts the bytes of JSON as a part of an item.
  package mutating func put(part number: Int, json: RawSpan) { payload.put(number, json) }
}
