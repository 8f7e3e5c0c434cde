package import EventStore

/// The fields of one object, as they stand in a payload.
///
/// Fields are put in any order; the last of a name counts. A field that is absent says nothing, one
/// that is null says that there is nothing. One value may be used for many objects after each
/// other, and then allocates only as it grows.
///
/// - Complexity: O(*n*) in the fields before it to find one, without allocation; O(1) to put one
///   behind the others, else O(*n*) in the bytes.
package struct ObjectFields: Sendable, Hashable {
  /// The fields, in ascending order of their numbers.
  private var bytes: [UInt8] = []
  /// The number of the last one, or zero.
  private var last = 0

  /// No fields.
  package init() {}

  /// Fields that `fill` puts.
  package init(_ fill: (inout ObjectFields) -> Void) { fill(&self) }

  /// Fields of which the last one that was written has a number.
  init(written bytes: [UInt8], through last: Int) { (self.bytes, self.last) = (bytes, last) }

  /// How many fields there are, those that are null included.
  package var count: Int {
    var (reader, count) = (PayloadReader(bytes.payloadBytes), 0)
    while (try? reader.nextNumber()) != nil { count += 1 }
    return count
  }

  /// Forgets all fields, but keeps the memory that they took.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    last = 0
  }

  /// Puts what `write` writes: one value, with the number that it is given.
  ///
  /// This is the way for what reads a server's bytes; others use the ways for each type.
  package mutating func put<E: Error>(
    raw field: ObjectField, _ write: (inout PayloadWriter, Int) throws(E) -> Void
  ) throws(E) {
    try put(field.rawValue) { (writer) throws(E) in try write(&writer, field.rawValue) }
  }

  private mutating func put<E: Error>(
    _ number: Int, _ write: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) {
    guard number <= last else {
      try PayloadWriter.write(into: &bytes, write)
      return last = number
    }
    let field = try PayloadWriter.bytes(write)
    bytes.replaceSubrange(place(of: number), with: field)
  }

  /// Where a field is among the bytes, or would be.
  private func place(of number: Int) -> Range<Int> {
    guard number <= last else { return bytes.count..<bytes.count }
    var reader = PayloadReader(bytes.payloadBytes)
    var start = 0
    while let next = try? reader.nextNumber() {
      guard next < number else { return start..<(next == number ? reader.offset : start) }
      start = reader.offset
    }
    return start..<start
  }

  /// Makes a field absent.
  package mutating func remove(_ field: ObjectField) {
    bytes.removeSubrange(place(of: field.rawValue))
    if field.rawValue == last { last = numbers.last ?? 0 }
  }

  /// Whether the field says something, be it that there is nothing.
  package func has(_ field: ObjectField) -> Bool { !place(of: field.rawValue).isEmpty }

  /// Whether the field is there and says that there is nothing.
  package func isNull(_ field: ObjectField) -> Bool {
    read(field) { field throws(EventError) in field.isNull } ?? false
  }

  /// The numbers of the fields, ascending, those that this version doesn't know included.
  package var numbers: [Int] {
    var numbers: [Int] = []
    var reader = PayloadReader(bytes.payloadBytes)
    while let number = try? reader.nextNumber() { numbers.append(number) }
    return numbers
  }

  /// Writes the fields in ascending order, as the next ones of a payload.
  package func encode(into writer: inout PayloadWriter) {
    writer.put(fields: bytes.payloadBytes, through: last)
  }

  /// What `body` finds in a field, or `nil` where it is absent or not what it was taken for.
  func read<Value>(
    _ field: ObjectField,
    _ body: (borrowing PayloadReader.Field) throws(EventError) -> Value
  ) -> Value? {
    var reader = PayloadReader(bytes.payloadBytes)
    while let next = try? reader.next(), next.number <= field.rawValue {
      if next.number == field.rawValue { return try? body(next) }
    }
    return nil
  }
}

extension ObjectFields {
  /// The fields of a payload that holds nothing but an object's, checking all of them.
  ///
  /// Fields that this version doesn't know are kept as they are.
  package init(whole payload: RawSpan) throws(EventError) {
    var reader = PayloadReader(payload)
    try self.init(whole: &reader)
  }

  /// Reads all fields, none of which may be another's than an object's.
  init(whole reader: inout PayloadReader) throws(EventError) {
    try self.init(reading: &reader)
    guard let rest = try reader.nextNumber() else { return }
    throw EventError(.outOfRange(Int64(rest)))
  }

  /// Reads the fields up to the first one that is not an object's.
  init(reading reader: inout PayloadReader) throws(EventError) {
    let start = reader.offset
    var ahead = reader
    while let field = try ahead.nextField(), field.number <= ObjectField.numberMax {
      try ObjectField(rawValue: field.number)?.check(field)
      last = field.number
      reader = ahead
    }
    bytes.append(payload: reader.passed(since: start))
  }
}

extension ObjectFields {
  /// What tells these fields from others: whether an answer has any news of an object.
  ///
  /// What the server says has become of the object counts for nothing, as a page and a delta that
  /// have the same object say different things of that.
  /// - Complexity: O(*n*) in the bytes, without allocation.
  package var digest: UInt64 { (try? Self.digest(of: bytes.payloadBytes)) ?? 0 }

  /// The digest of the fields of a payload, of which nothing is read.
  package static func digest(of payload: RawSpan) throws(EventError) -> UInt64 {
    var reader = PayloadReader(payload)
    var digest: UInt64 = 0
    var start = reader.offset
    while let number = try reader.nextNumber(), number <= ObjectField.numberMax {
      let end = reader.offset
      if number != ObjectField.change.rawValue {
        digest = Mixer.hash(payload.extracting(start..<end), seed: digest)
      }
      start = end
    }
    return digest
  }
}
