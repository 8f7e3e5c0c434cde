import EventStore

/// What a field of a fact is written into, and how.
enum FactColumn: Sendable {
  case text(Field<String>)
  /// Of which the beginning is enough.
  case snippet(Field<String>)
  /// Of which the place in the log is enough.
  case reference(Field<TextReference>)
  case time(Field<Timestamp>)
  case number(Field<Int>)
  /// A number that nothing clears.
  case version(Field<Int>)
  case flag(Field<Bool>)
  /// A flag that is set where the field isn't.
  case opposite(Field<Bool>)
  case people(Field<String>)
  /// All tags.
  case tags(Field<Set<String>>)
  /// All tags but those that say what has been done.
  case labels(Field<Set<String>>)
  /// One tag.
  case tag(String, Field<Set<String>>)
  case ids(Field<Set<String>>)
  /// The ids of objects within.
  case files(Field<Set<String>>)
  case state(Field<Draft.State>)

  /// How many people are in a row.
  static let peopleMax = 100
  /// How many ids are in a row.
  static let idsMax = 500
  /// How many characters of a snippet are in a row.
  static let snippetMax = 200
  /// The tags that are no labels or folders.
  static let marks: Set = ["unread", "starred", "unseen"]

  /// The field that is written.
  var field: FieldDeclaration {
    switch self {
    case .text(let field), .snippet(let field), .people(let field): field.declaration
    case .reference(let field): field.declaration
    case .time(let field): field.declaration
    case .number(let field), .version(let field): field.declaration
    case .flag(let field), .opposite(let field): field.declaration
    case .tags(let field), .labels(let field), .tag(_, let field), .ids(let field),
      .files(let field):
      field.declaration
    case .state(let field): field.declaration
    }
  }

  /// Writes what a field says into a row; one that is null clears.
  ///
  /// - Parameter isMore: Whether another field of the fact was written into the same one.
  func write(
    _ field: borrowing PayloadReader.Field, of record: RecordNumber, into row: inout MutableRow,
    isMore: Bool
  ) throws(EventError) {
    if field.isNull { return isMore ? () : clear(&row) }
    do throws(PayloadError) {
      switch self {
      case .text(let target):
        if row.set(target, plain: try field.utf8) { return }
        row[target] = try field.text
      case .snippet(let target):
        let utf8 = try field.utf8
        if utf8.byteCount <= Self.snippetMax, row.set(target, plain: utf8) { return }
        row[target] = String(try field.text.prefix(Self.snippetMax))
      case .reference(let target): row[target] = try field.textReference(in: record)
      case .time(let target): row[target] = Timestamp(rawValue: try field.integer)
      case .number(let target), .version(let target): row[target] = Int(exactly: try field.integer)
      case .flag(let target): row[target] = try field.boolean ? true : nil
      case .opposite(let target): row[target] = try field.boolean ? nil : true
      case .state(let target): row[target] = Draft.State(told: try field.text)
      case .people, .tags, .labels, .tag, .ids, .files: break
      }
    } catch {
      throw EventError(.malformed(error))
    }
    try writeList(field, into: &row, isMore: isMore)
  }

  private func writeList(
    _ field: borrowing PayloadReader.Field, into row: inout MutableRow, isMore: Bool
  ) throws(EventError) {
    if writePlainList(field, into: &row, isMore: isMore) { return }
    switch self {
    case .people(let target):
      let people = try [ObjectPerson](reading: field).prefix(Self.peopleMax)
      row[target] = people.map { Participant(name: $0.name, email: $0.email ?? "") }.kept
    case .tags(let target): row.set(target, try [ObjectLabel](reading: field).map(\.id))
    case .labels(let target):
      let before = row[target] ?? []
      let kept = isMore ? before : before.intersection(Self.marks)
      row.set(target, try [ObjectLabel](reading: field).map(\.id) + kept)
    case .ids(let target): row.set(target, try [String](reading: field).suffix(Self.idsMax))
    case .files(let target):
      row.set(target, try [ObjectFields](reading: field).compactMap(\.id).suffix(Self.idsMax))
    default: break
    }
  }

  /// Has the row be under the one tag, or not.
  func set(_ isSet: Bool, in row: inout MutableRow) {
    if case .tag(let tag, let field) = self { row.set(field, tag, isSet) }
  }

  /// Has the row say nothing of it.
  func clear(_ row: inout MutableRow) {
    switch self {
    case .text(let field), .snippet(let field), .people(let field): row[field] = nil
    case .reference(let field): row[field] = nil
    case .time(let field): row[field] = nil
    case .number(let field): row[field] = nil
    case .version: break
    case .flag(let field), .opposite(let field): row[field] = nil
    case .tags(let field), .ids(let field), .files(let field): row[field] = nil
    case .labels(let field): row.set(field, Array(row[field]?.intersection(Self.marks) ?? []))
    case .tag(let tag, let field): row.set(field, tag, false)
    case .state(let field): row[field] = nil
    }
  }
}

extension MutableRow {
  /// Sets texts, of which none are left out.
  mutating func set(_ field: Field<Set<String>>, _ texts: some Collection<String>) {
    self[field] = texts.isEmpty ? nil : Set(texts)
  }

  /// Has a tag among texts, or not.
  mutating func set(_ field: Field<Set<String>>, _ tag: String, _ isThere: Bool) {
    var tags = self[field] ?? []
    guard tags.contains(tag) != isThere else { return }
    if isThere { tags.insert(tag) } else { tags.remove(tag) }
    set(field, tags)
  }
}

extension PayloadReader.Field {
  /// A reference to the field, which is one of a record's own.
  fileprivate func textReference(in record: RecordNumber) throws(PayloadError) -> TextReference {
    let content = type == .text ? try utf8 : try bytes
    return TextReference(record: record, field: UInt16(number), content: content)
  }
}
