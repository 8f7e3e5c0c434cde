package import EventStore

/// The fields of one object, encoded as in a payload.
///
/// Fields may be put in any order; a field that is put again is replaced. An absent field says
/// nothing; a null field says that there is no value. An instance may be reused for many objects,
/// and then allocates only when it grows. Objects that were written together share their memory,
/// until one of them is changed.
///
/// - Complexity: O(*n*) in the fields before it to find one, without allocation; O(1) to put one
///   after the others, else O(*n*) in the bytes, as for the first change of shared fields.
package struct ObjectFields: Sendable, Hashable {
  /// The fields, in ascending order of their numbers, possibly among those of other objects.
  private var bytes: [UInt8] = []
  /// The range of the object's fields, unless there are no others.
  private var range: Range<Int>?
  /// The number of the last field, or zero.
  private var last = 0

  /// Creates an object without fields.
  package init() {}

  /// Creates an object with the fields that `fill` puts.
  package init(_ fill: (inout ObjectFields) -> Void) { fill(&self) }

  /// Creates an object from encoded fields within those of several objects, and the number of the
  /// last one.
  init(written range: Range<Int>, of bytes: [UInt8], through last: Int) {
    (self.bytes, self.range, self.last) = (bytes, range, last)
  }

  /// The encoded fields.
  private var encoded: RawSpan {
    @_lifetime(borrow self) get {
      guard let range else { return bytes.payloadBytes }
      return bytes.payloadBytes.extracting(range)
    }
  }

  /// The encoded fields.
  private var own: ArraySlice<UInt8> { bytes[range ?? bytes.indices] }

  /// Separates the fields from those of other objects, to change them.
  private mutating func separate() {
    if range != nil { (bytes, range) = (Array(own), nil) }
  }

  package static func == (object: ObjectFields, other: ObjectFields) -> Bool {
    object.own == other.own
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(own) }

  /// The number of fields, including null ones.
  package var count: Int {
    var (reader, count) = (PayloadReader(encoded), 0)
    while (try? reader.nextNumber()) != nil { count += 1 }
    return count
  }

  /// The number of encoded bytes.
  var byteCount: Int { range?.count ?? bytes.count }

  /// Removes all fields, but keeps the allocated memory unless it is shared.
  package mutating func removeAll() {
    if range == nil { bytes.removeAll(keepingCapacity: true) } else { bytes = [] }
    (range, last) = (nil, 0)
  }

  /// Puts the value that `write` writes under the number that it receives.
  ///
  /// For readers of a server's bytes; others use the methods for each type.
  package mutating func put<E: Error>(
    raw field: ObjectField, _ write: (inout PayloadWriter, Int) throws(E) -> Void
  ) throws(E) {
    try put(field.rawValue) { (writer) throws(E) in try write(&writer, field.rawValue) }
  }

  private mutating func put<E: Error>(
    _ number: Int, _ write: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) {
    separate()
    guard number <= last else {
      try PayloadWriter.write(into: &bytes, write)
      return last = number
    }
    let field = try PayloadWriter.bytes(write)
    bytes.replaceSubrange(place(of: number), with: field)
  }

  /// The range of a field's bytes, or where it would be.
  private func place(of number: Int) -> Range<Int> {
    guard number <= last else { return byteCount..<byteCount }
    var reader = PayloadReader(encoded)
    try? reader.pass(below: number)
    let start = reader.offset
    let isThere = (try? reader.nextNumber()) == number
    return start..<(isThere ? reader.offset : start)
  }

  /// Makes a field absent.
  package mutating func remove(_ field: ObjectField) {
    separate()
    bytes.removeSubrange(place(of: field.rawValue))
    if field.rawValue == last { last = numbers.last ?? 0 }
  }

  /// Returns whether the field is present, even if it is null.
  package func has(_ field: ObjectField) -> Bool { !place(of: field.rawValue).isEmpty }

  /// Returns whether the field is present and null.
  package func isNull(_ field: ObjectField) -> Bool {
    read(field) { field throws(EventError) in field.isNull } ?? false
  }

  /// The numbers of the fields, ascending, including those that this version doesn't know.
  package var numbers: [Int] {
    var numbers: [Int] = []
    var reader = PayloadReader(encoded)
    while let number = try? reader.nextNumber() { numbers.append(number) }
    return numbers
  }

  /// Writes the fields in ascending order, as the next ones of a payload.
  package func encode(into writer: inout PayloadWriter) {
    writer.put(fields: encoded, through: last)
  }

  /// The object's id and what is said of it, which come first, read in one pass.
  var head: (id: String?, change: ObjectChange) {
    var reader = PayloadReader(encoded)
    var (id, change): (String?, ObjectChange) = (nil, .changed)
    while let field = try? reader.next(), field.number <= ObjectField.change.rawValue {
      switch ObjectField(rawValue: field.number) {
      case .id: id = try? String(reading: field)
      case .change: change = (try? ObjectChange(reading: field)) ?? change
      default: break
      }
    }
    return (id, change)
  }

  /// Returns the result of `body` for a field, or `nil` if the field is absent or `body` throws.
  func read<Value>(
    _ field: ObjectField,
    _ body: (borrowing PayloadReader.Field) throws(EventError) -> Value
  ) -> Value? {
    var reader = PayloadReader(encoded)
    guard (try? reader.pass(below: field.rawValue)) != nil, let next = try? reader.next(),
      next.number == field.rawValue
    else { return nil }
    return try? body(next)
  }
}

extension ObjectFields {
  /// Decodes a payload that consists of an object's fields only, and checks all of them.
  ///
  /// Fields that this version doesn't know are kept as they are.
  package init(whole payload: RawSpan) throws(EventError) {
    var reader = PayloadReader(payload)
    try self.init(whole: &reader)
  }

  /// Decodes all fields, and throws if any isn't an object's.
  init(whole reader: inout PayloadReader) throws(EventError) {
    try self.init(reading: &reader)
    guard let rest = try reader.nextNumber() else { return }
    throw EventError(.outOfRange(Int64(rest)))
  }

  /// Decodes the fields up to the first one that is not an object's.
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
  /// A digest of the fields, which shows whether a response has news of an object.
  ///
  /// The `change` field is ignored, as a page and a delta with the same object differ in it.
  ///
  /// - Complexity: O(*n*) in the bytes, without allocation.
  package var digest: UInt64 { (try? Self.digest(of: encoded)) ?? 0 }

  /// Returns the digest of a payload that consists of an object's fields, without decoding their
  /// contents.
  package static func digest(of payload: RawSpan) throws(EventError) -> UInt64 {
    var reader = PayloadReader(payload)
    // Only fields up to `change` come before the rest, so at most two runs of bytes are hashed.
    var (idEnd, rest) = (0, 0)
    while let number = try reader.nextNumber(), number <= ObjectField.change.rawValue {
      if number < ObjectField.change.rawValue { idEnd = reader.offset }
      rest = reader.offset
    }
    let id = Mixer.hash(payload.extracting(0..<idEnd))
    return Mixer.digest(payload.extracting(rest..<payload.byteCount), seed: id)
  }
}
