package import EventStore

/// Writes the fields of one object after another, each object's in ascending order.
///
/// For readers of a server's bytes: the objects of an answer share one array, and no field is
/// visited twice. Fields that are put while an item is open belong to the item. The writer checks
/// neither the type of a field's content nor that texts are UTF-8; the tables that drive the
/// readers are checked instead.
package struct ObjectWriter: ~Copyable {
  /// A list or an item that was begun; inner ones must be ended before outer ones.
  package typealias Opening = PayloadWriter.Opening

  private var payload: PayloadWriter
  /// The end of each finished object, and the number of its last field.
  private var ends: [(offset: Int, last: Int)] = []
  /// The offset of the object after them.
  private var start = 0

  /// Creates an empty writer with room for some bytes.
  package init(reserving byteCount: Int = 1 << 10) {
    payload = PayloadWriter(reserving: byteCount)
  }

  /// The number of bytes that were put since the last object.
  package var count: Int { payload.count - start }

  /// Finishes the object, and starts the next.
  package mutating func endObject() {
    ends.append((payload.count, payload.last))
    payload.endPayload()
    start = payload.count
  }

  /// Discards what was put since the last object.
  package mutating func discard() { payload.restart(at: start) }

  /// Calls `body` with the index and the fields of each finished object in order, and leaves the
  /// writer empty.
  package mutating func takeObjects(_ body: (Int, ObjectFields) -> Void) {
    discard()
    let bytes = payload.takeAll()
    var start = 0
    for (index, end) in ends.enumerated() {
      body(index, ObjectFields(written: start..<end.offset, of: bytes, through: end.last))
      start = end.offset
    }
    (ends, self.start) = ([], 0)
  }
}

/// Writing fields in any order, and from there into an object in ascending order.
extension ObjectWriter {
  /// The bytes that were put since the last object.
  package var written: RawSpan {
    @_lifetime(borrow self) get { payload.written.extracting(droppingFirst: start) }
  }

  /// Begins a separate field, regardless of the fields before it.
  package mutating func beginPiece() { payload.beginPiece() }

  /// Puts fields that another writer wrote, in ascending order.
  package mutating func put(pieces: RawSpan, through last: ObjectField) {
    payload.put(fields: pieces, through: last.rawValue)
  }
}

extension ObjectWriter {
  /// Puts a text.
  package mutating func put(_ field: ObjectField, utf8: RawSpan) {
    payload.put(field.rawValue, utf8: utf8)
  }

  /// Puts the bytes of JSON, as the server wrote it.
  package mutating func put(_ field: ObjectField, json: RawSpan) {
    payload.put(field.rawValue, json)
  }

  /// Puts an integer.
  package mutating func put(_ field: ObjectField, _ value: Int64) {
    payload.put(field.rawValue, value)
  }

  /// Puts a boolean.
  package mutating func put(_ field: ObjectField, _ value: Bool) {
    payload.put(field.rawValue, value)
  }

  /// Puts the change of the object.
  package mutating func put(_ change: ObjectChange) { put(.change, change.rawValue) }

  /// Puts null.
  package mutating func putNull(_ field: ObjectField) { payload.putNull(field.rawValue) }
}

extension ObjectWriter {
  /// The parts of a person, with the numbers that ``ObjectPerson`` gives them.
  package enum PersonPart {
    @inlinable @inline(__always) package static var name: Int { 1 }
    @inlinable @inline(__always) package static var email: Int { 2 }
    @inlinable @inline(__always) package static var unknown: Int { 3 }
  }

  /// The parts of a label, with the numbers that ``ObjectLabel`` gives them.
  package enum LabelPart {
    @inlinable @inline(__always) package static var id: Int { 1 }
    @inlinable @inline(__always) package static var name: Int { 2 }
    @inlinable @inline(__always) package static var displayName: Int { 3 }
    @inlinable @inline(__always) package static var unknown: Int { 4 }
  }

  /// Begins a list.
  package mutating func beginList(_ field: ObjectField) -> Opening {
    payload.beginList(field.rawValue)
  }

  /// Puts a text as an item of a list.
  package mutating func item(utf8: RawSpan) { payload.item(utf8: utf8) }

  /// Begins an item that has fields or parts.
  package mutating func beginItem() -> Opening { payload.beginItem() }

  /// Ends the list or the item that was begun last.
  package mutating func end(_ opening: Opening) { payload.end(opening) }

  /// Puts a text as a part of an item.
  package mutating func put(part number: Int, utf8: RawSpan) { payload.put(number, utf8: utf8) }

  /// Puts the bytes of JSON as a part of an item.
  package mutating func put(part number: Int, json: RawSpan) { payload.put(number, json) }
}
