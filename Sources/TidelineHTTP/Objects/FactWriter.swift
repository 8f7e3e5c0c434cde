import EventStore
import LMDB
import Tideline

/// What a fact is about, besides its fields.
struct Subject {
  var objectClass: ObjectClass
  /// The server's name for a class that is not known.
  var className: JSONToken?
  /// What became of the object.
  var change: ObjectChange
  /// The id that stands beside the object.
  var id: JSONToken?
  /// Where the object stands.
  var start: Int
}

/// Writes facts about objects straight into payloads, from members of JSON.
struct FactWriter: ~Copyable {
  var writer = ObjectWriter()
  /// A text without its escapes.
  var text: [UInt8] = []
  /// Members of a part that nothing is known of.
  var extra: [UInt8] = []
  /// In which order parts have their members.
  var order = JSONNameOrder()
  /// Memory for the members of an object within another.
  var spare: MemberSet?

  /// The fact of an object whose members were taken by the table of its class.
  ///
  /// - Throws: Why the object is refused; the next one may be written then.
  mutating func fact(
    _ subject: Subject, _ members: borrowing MemberSet, _ bytes: RawSpan
  ) throws(JSONFault) -> ObjectFact {
    let table = FieldTable.of(subject.objectClass)
    do throws(JSONFault) {
      try putHead(subject, members, bytes)
      try putFields(members, table, bytes)
      guard writer.count <= Log.payloadBytesMax else {
        throw JSONFault(.tooLong("the object", limit: Log.payloadBytesMax), at: subject.start)
      }
    } catch {
      writer.discard()
      throw error
    }
    return ObjectFact(subject.objectClass, writer.take())
  }

  /// Puts what comes before the version.
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

  /// Puts the fields behind the version, and what no field is for.
  mutating func putFields(
    _ members: borrowing MemberSet, _ table: FieldTable, _ bytes: RawSpan
  ) throws(JSONFault) {
    if !members.unknown.isEmpty {
      writer.put(.unknown, json: members.unknown.payloadBytes)
    }
    var rest = members.present & ~FieldTable.headRows
    while rest != 0 {
      let row = rest.trailingZeroBitCount
      rest &= rest - 1
      guard let value = members[row] else { continue }
      let field = table.rows[row].field
      if value.kind == .null {
        writer.putNull(field)
      } else {
        try put(value, row, table, members, bytes)
      }
    }
  }

  private mutating func put(
    _ value: JSONToken, _ row: Int, _ table: FieldTable, _ members: borrowing MemberSet,
    _ bytes: RawSpan
  ) throws(JSONFault) {
    let (field, name) = (table.rows[row].field, table.rows[row].name)
    switch table.rows[row].reading {
    case .text: try putText(field, value, name, bytes)
    case .id: try putID(field, value, name, bytes)
    case .integer: try putInteger(field, value, name, bytes)
    case .flag: try putFlag(field, value, name, bytes)
    case .time: try putTime(field, value, name, bytes)
    case .people: try putPeople(field, value, name, bytes)
    case .labels: try putLabels(field, value, name, bytes)
    case .texts, .numbers: try putTexts(field, value, name, bytes)
    case .files:
      let ids = table.fileIDsRow.flatMap { members[$0] }
      try putFiles(field, value, name, bytes, hasIDs: ids != nil)
    case .json: writer.put(field, json: bytes.extracting(value.range))
    case .media: try putMedia(value, name, bytes)
    case .className: break
    }
  }
}

extension FieldTable {
  /// The rows of what every object has before its other fields.
  static let (idRow, versionRow, classRow) = (0, 1, 2)
  /// Their bits, and that of the name of the class.
  static let headRows: UInt64 = 0b111
}

extension RawSpan {
  /// Whether two texts or numbers are the same.
  fileprivate func hasSameText(_ first: JSONToken, _ second: JSONToken) -> Bool {
    first.kind == .string && second.kind == .string && !first.isEscaped && !second.isEscaped
      ? extracting(first.content).equals(extracting(second.content))
      : text(of: first) == text(of: second)
  }
}
