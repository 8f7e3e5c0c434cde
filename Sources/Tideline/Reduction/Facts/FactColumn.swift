import EventStore

/// How to write a field of a fact into a row.
enum FactColumn: Sendable {
  case text(Field<String>)
  /// A text truncated to its beginning.
  case snippet(Field<String>)
  /// A text stored as its location in the log.
  case reference(Field<TextReference>)
  case time(Field<Timestamp>)
  case number(Field<Int>)
  /// A number that is never cleared.
  case version(Field<Int>)
  case flag(Field<Bool>)
  /// A flag that is the opposite of the field.
  case opposite(Field<Bool>)
  /// The first people, up to ``peopleMax``.
  case participants(Field<String>)
  /// All people of a draft; the first people of a message, up to ``peopleBytesMax``.
  case people(Field<String>)
  /// All tags.
  case tags(Field<Set<String>>)
  /// All tags except state tags.
  case labels(Field<Set<String>>)
  /// A single tag.
  case tag(String, Field<Set<String>>)
  case ids(Field<Set<String>>)
  /// The ids of nested objects.
  case files(Field<Set<String>>)
  case state(Field<Draft.State>)

  /// The most participants stored in a row.
  static let peopleMax = 100
  /// The most bytes of people that a field of a message stores, enough for some 200 people.
  static let peopleBytesMax = 8192
  /// The most ids stored in a row.
  static let idsMax = 500
  /// The most characters of a snippet stored in a row.
  static let snippetMax = 200
  /// The state tags, which are not labels or folders.
  static let marks: Set = ["unread", "starred", "unseen"]

  /// The target field.
  var field: FieldDeclaration {
    switch self {
    case .text(let field), .snippet(let field), .participants(let field), .people(let field):
      field.declaration
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

  /// Writes the value of a field into a row; a null value clears.
  ///
  /// - Parameter isMore: Whether another field of the fact was written to the same target.
  func write(
    _ field: borrowing PayloadReader.Field, of record: RecordNumber, into row: inout MutableRow,
    isMore: Bool
  ) throws(EventError) {
    if field.isNull { return isMore ? () : clear(&row) }
    do throws(PayloadError) {
      switch self {
      case .text(let target):
        if row.set(target, utf8: try field.utf8) { return }
        row[target] = try field.text
      case .snippet(let target):
        let utf8 = try field.utf8
        if utf8.byteCount <= Self.snippetMax, row.set(target, utf8: utf8) { return }
        row[target] = String(try field.text.prefix(Self.snippetMax))
      case .reference(let target): row[target] = try field.textReference(in: record)
      case .time(let target): row[target] = Timestamp(rawValue: try field.integer)
      case .number(let target), .version(let target): row[target] = Int(exactly: try field.integer)
      case .flag(let target): row[target] = try field.boolean ? true : nil
      case .opposite(let target): row[target] = try field.boolean ? nil : true
      case .state(let target): row[target] = Draft.State(told: try field.text)
      case .participants, .people, .tags, .labels, .tag, .ids, .files: break
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
    case .participants(let target):
      row[target] = Array(try [Participant](reading: field).prefix(Self.peopleMax)).kept
    case .people(let target):
      let people = try [Participant](reading: field)
      let isCut = row[Messages.kind] == .message
      row[target] = isCut ? people.kept(atMost: Self.peopleBytesMax) : people.kept
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

  /// Adds or removes the single tag.
  func set(_ isSet: Bool, in row: inout MutableRow) {
    if case .tag(let tag, let field) = self { row.set(field, tag, isSet) }
  }

  /// Clears the target field.
  func clear(_ row: inout MutableRow) {
    switch self {
    case .text(let field), .snippet(let field), .participants(let field), .people(let field):
      row[field] = nil
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
  /// Sets texts, or clears the field if there are none.
  mutating func set(_ field: Field<Set<String>>, _ texts: some Collection<String>) {
    self[field] = texts.isEmpty ? nil : Set(texts)
  }

  /// Adds or removes a tag.
  mutating func set(_ field: Field<Set<String>>, _ tag: String, _ isThere: Bool) {
    guard isThere || has(field.declaration) else { return }
    var tags = self[field] ?? []
    guard tags.contains(tag) != isThere else { return }
    if isThere { tags.insert(tag) } else { tags.remove(tag) }
    set(field, tags)
  }
}

extension PayloadReader.Field {
  /// Returns a reference to this top-level field of a record.
  fileprivate func textReference(in record: RecordNumber) throws(PayloadError) -> TextReference {
    let content = type == .text ? try utf8 : try bytes
    return TextReference(record: record, field: UInt16(number), content: content)
  }
}
