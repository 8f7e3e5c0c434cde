import EventStore
import LMDB
import Tideline

/// The subject of a fact, apart from its fields.
struct Subject {
  var objectClass: ObjectClass
  /// The server's name for a class that the library does not know.
  var className: JSONToken?
  /// What happened to the object.
  var change: ObjectChange
  /// The id given beside the object.
  var id: JSONToken?
  /// The offset at which the object starts.
  var start: Int
}

/// Writes facts about objects from JSON members directly into payloads.
struct FactWriter: ~Copyable {
  var writer: ObjectWriter
  /// The classes of the objects that were finished.
  private var classes: [ObjectClass] = []
  /// The buffer for a text with its escapes resolved.
  var text: [UInt8] = []
  /// The buffer for the members of a nested object.
  var spare: MemberSet?
  var people = PartReader(peopleNames)
  var labels = PartReader(labelNames)
  var texts = PartReader(textNames)
  var media = PartReader(mediaNames)

  private static let peopleNames = JSONNames(["name", "email"])
  private static let labelNames = JSONNames(["id", "name", "display_name"])
  private static let textNames = JSONNames(["id", "number"])
  private static let mediaNames = JSONNames(["url", "altText"])

  /// Creates an empty writer with room for some bytes.
  init(reserving byteCount: Int = 1 << 10) { writer = ObjectWriter(reserving: byteCount) }

  /// Appends the written facts in order, and leaves the writer empty.
  mutating func takeFacts(into facts: inout [ObjectFact]) {
    let classes = classes
    facts.reserveCapacity(facts.count + classes.count)
    writer.takeObjects { index, fields in facts.append(ObjectFact(classes[index], fields)) }
    self.classes = []
  }

  /// Writes the fact of an object whose members were taken by the table of its class.
  ///
  /// - Parameter lists: The writer that holds the lists among the members.
  /// - Throws: The reason the object is refused; the writer can then write the next one.
  mutating func putFact(
    _ subject: Subject, _ members: borrowing MemberSet, _ lists: borrowing FactWriter,
    _ bytes: RawSpan
  ) throws(JSONFault) {
    do throws(JSONFault) {
      try putHead(subject, members, bytes)
      try FieldTable.with(subject.objectClass) { table throws(JSONFault) in
        try putFields(members, table, lists.writer.written, bytes)
      }
      guard writer.count <= Log.payloadBytesMax else {
        throw JSONFault(.tooLong("the object", limit: Log.payloadBytesMax), at: subject.start)
      }
    } catch {
      writer.discard()
      throw error
    }
    writer.endObject()
    classes.append(subject.objectClass)
  }

  /// Puts the id, change, version and class name.
  private mutating func putHead(
    _ subject: Subject, _ members: borrowing MemberSet, _ bytes: RawSpan
  ) throws(JSONFault) {
    let own = members[FieldTable.idRow].flatMap { $0.kind == .null ? nil : $0 }
    guard let id = subject.id ?? own else { throw JSONFault(.missing("id"), at: subject.start) }
    if let own, own != id, !bytes.hasSameText(own, id) {
      throw JSONFault(.contradiction("id"), at: own.start)
    }
    try putID(.id, id, "id", bytes)
    if case .changed = subject.change {} else { writer.put(subject.change) }
    if let version = members[FieldTable.versionRow] {
      try putInteger(.version, version, "version", bytes)
    }
    if case .other = subject.objectClass, let name = subject.className {
      try putText(.className, name, "object", bytes)
    }
  }

  /// Puts the fields after the version, and the members that have no field.
  ///
  /// - Parameter lists: The bytes of the lists that are already written.
  mutating func putFields(
    _ members: borrowing MemberSet, _ table: FieldTable, _ lists: RawSpan, _ bytes: RawSpan
  ) throws(JSONFault) {
    if !members.unknown.isEmpty {
      writer.put(.unknown, json: members.unknown.payloadBytes)
    }
    var rest = members.present & ~FieldTable.headRows
    while rest != 0 {
      let row = rest.trailingZeroBitCount
      rest &= rest - 1
      if let piece = members.piece(ofRow: row) {
        putPieces(piece, row, &rest, table, members, lists)
      } else if let value = members[row] {
        try put(value, row, table, members, bytes)
      }
    }
  }

  /// Puts a written list together with the written lists that directly follow it.
  private mutating func putPieces(
    _ piece: Range<Int>, _ row: Int, _ rest: inout UInt64, _ table: FieldTable,
    _ members: borrowing MemberSet, _ lists: RawSpan
  ) {
    var (end, last) = (piece.upperBound, row)
    while rest != 0, let next = members.piece(ofRow: rest.trailingZeroBitCount),
      next.lowerBound == end
    {
      (end, last) = (next.upperBound, rest.trailingZeroBitCount)
      rest &= rest - 1
    }
    writer.put(
      pieces: lists.extracting(piece.lowerBound..<end), through: table.rows[last].field)
  }

  private mutating func put(
    _ value: JSONToken, _ row: Int, _ table: FieldTable, _ members: borrowing MemberSet,
    _ bytes: RawSpan
  ) throws(JSONFault) {
    let (field, name) = (table.rows[row].field, table.rows[row].name)
    guard value.kind != .null else { return writer.putNull(field) }
    switch table.rows[row].reading {
    case .text: try putText(field, value, name, bytes)
    case .id: try putID(field, value, name, bytes)
    case .integer: try putInteger(field, value, name, bytes)
    case .flag: try putFlag(field, value, name, bytes)
    case .time: try putTime(field, value, name, bytes)
    case .people, .labels, .texts, .numbers:
      var scanner = JSONScanner(bytes, at: value.start)
      try putList(row, table, &scanner)
    case .files:
      var scanner = JSONScanner(bytes, at: value.start)
      let hasIDs = table.fileIDsRow.map { members.has($0) } ?? false
      guard try scanner.isListOfTexts() else { return try putList(row, table, &scanner) }
      if !hasIDs { try putTexts(.fileIDs, &scanner, name) }
    case .json: writer.put(field, json: bytes.extracting(value.range))
    case .media: try putMedia(value, name, bytes)
    case .className: break
    }
  }
}

extension FieldTable {
  /// The rows of the members that every object has before its other fields.
  static let (idRow, versionRow, classRow) = (0, 1, 2)
  /// The bits of those rows, including the row of the class name.
  static let headRows: UInt64 = 0b111
}

extension RawSpan {
  /// Whether two texts or numbers are equal.
  fileprivate func hasSameText(_ first: JSONToken, _ second: JSONToken) -> Bool {
    first.kind == .string && second.kind == .string && !first.isEscaped && !second.isEscaped
      ? extracting(first.content).equals(extracting(second.content))
      : text(of: first) == text(of: second)
  }
}
