package import EventStore

/// The fields of one object, in the bytes that they have in a payload.
///
/// Fields are put in any order, as they come in a server's answer; the last of a name counts. A
/// field that is absent says nothing, one that is null says that there is nothing. One value may
/// be used for many objects after each other, and then allocates only as it grows.
///
/// - Complexity: O(log *n*) to find one of *n* fields, and to put one unless it goes before others.
package struct ObjectFields: Sendable {
  /// Where a field is among the bytes.
  struct Entry: Sendable {
    let number: Int
    let bytes: Range<Int>
  }

  /// In ascending order of their numbers.
  private var entries: [Entry] = []
  /// The fields in the order in which they were put, tags included.
  private var bytes: [UInt8] = []

  /// No fields.
  package init() {}

  /// Fields that `fill` puts.
  package init(_ fill: (inout ObjectFields) -> Void) { fill(&self) }

  /// Fields that were written in ascending order of their numbers.
  init(entries: [Entry], bytes: [UInt8]) {
    self.entries = entries
    self.bytes = bytes
  }

  /// How many fields there are, those that are null included.
  package var count: Int { entries.count }

  /// Forgets all fields, but keeps the memory that they took.
  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
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
    let start = bytes.count
    try PayloadWriter.write(into: &bytes, write)
    set(Entry(number: number, bytes: start..<bytes.count))
  }

  private mutating func set(_ entry: Entry) {
    guard let last = entries.last, last.number >= entry.number else { return entries.append(entry) }
    let index = firstIndex(notBelow: entry.number)
    let isThere = entries[index].number == entry.number
    entries.replaceSubrange(index..<(index + (isThere ? 1 : 0)), with: CollectionOfOne(entry))
  }

  private func firstIndex(notBelow number: Int) -> Int {
    var range = entries.startIndex..<entries.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        entries[middle].number < number
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  private func entry(_ number: Int) -> Entry? {
    let index = firstIndex(notBelow: number)
    return index < entries.count && entries[index].number == number ? entries[index] : nil
  }

  /// Makes a field absent.
  package mutating func remove(_ field: ObjectField) {
    let index = firstIndex(notBelow: field.rawValue)
    guard index < entries.count, entries[index].number == field.rawValue else { return }
    entries.remove(at: index)
  }

  /// Whether the field says something, be it that there is nothing.
  package func has(_ field: ObjectField) -> Bool { entry(field.rawValue) != nil }

  /// Whether the field is there and says that there is nothing.
  package func isNull(_ field: ObjectField) -> Bool {
    read(field) { field throws(EventError) in field.isNull } ?? false
  }

  /// The numbers of the fields, ascending, those that this version doesn't know included.
  package var numbers: [Int] { entries.map(\.number) }

  /// Writes the fields in ascending order.
  package func encode(into writer: inout PayloadWriter) {
    for entry in entries {
      var reader = PayloadReader(bytes.payloadBytes.extracting(entry.bytes))
      if let field = try? reader.next() { writer.put(field) }
    }
  }

  /// What `body` finds in a field, or `nil` where it is absent or not what it was taken for.
  func read<Value>(
    _ field: ObjectField,
    _ body: (borrowing PayloadReader.Field) throws(EventError) -> Value
  ) -> Value? {
    guard let entry = entry(field.rawValue) else { return nil }
    var reader = PayloadReader(bytes.payloadBytes.extracting(entry.bytes))
    guard let field = try? reader.next() else { return nil }
    return try? body(field)
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
    var ahead = reader
    while let field = try ahead.nextField(), field.number <= ObjectField.numberMax {
      try ObjectField(rawValue: field.number)?.check(field)
      put(field.number) { $0.put(field) }
      reader = ahead
    }
  }
}

extension ObjectFields {
  /// What tells these fields from others: whether an answer has any news of an object.
  ///
  /// What the server says has become of the object counts for nothing, as a page and a delta that
  /// have the same object say different things of that.
  /// - Complexity: O(*n*) in the bytes, without allocation.
  package var digest: UInt64 {
    entries.lazy.filter { $0.number != ObjectField.change.rawValue }.reduce(0) { digest, entry in
      Mixer.hash(bytes.payloadBytes.extracting(entry.bytes), seed: digest)
    }
  }

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

extension ObjectFields: Hashable {
  /// Whether the bytes that both are written as are the same.
  package static func == (left: ObjectFields, right: ObjectFields) -> Bool {
    left.entries.elementsEqual(right.entries) { mine, other in
      mine.number == other.number && left.bytes[mine.bytes] == right.bytes[other.bytes]
    }
  }

  package func hash(into hasher: inout Hasher) {
    for entry in entries { hasher.combine(bytes[entry.bytes]) }
  }
}
