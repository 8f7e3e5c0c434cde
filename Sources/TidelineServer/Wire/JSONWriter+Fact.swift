package import EventStore
package import Tideline
import TidelineHTTP

/// Writes objects by the tables with which clients read them.
extension JSONWriter {
  /// Writes an object, its members in the order of their fields.
  ///
  /// An absent field is not written, and a null field is written as null. Times are seconds since
  /// 1970, milliseconds if seconds are not exact, or the original text.
  package mutating func fact(_ fact: ObjectFact) {
    object { $0.members(fact.fields, of: fact.objectClass) }
  }

  private mutating func members(_ fields: ObjectFields, of objectClass: ObjectClass) {
    let unknown = fields.json(.unknown) ?? []
    // A member kept as received says more than the field read from it.
    let kept = unknown.isEmpty ? [] : unknown.payloadBytes.memberNames
    // The rows and these numbers are in the same order.
    var present = fields.numbers[...]
    for row in FieldTable.of(objectClass).rows {
      present = present.drop { $0 < row.field.rawValue }
      if !kept.isEmpty, kept.contains(row.name.description) { continue }
      if row.isMember(where: present) { member(row, fields, objectClass) }
    }
    if !unknown.isEmpty { members(verbatim: unknown.payloadBytes) }
  }

  private mutating func member(
    _ row: FieldTable.Row, _ fields: ObjectFields, _ objectClass: ObjectClass
  ) {
    let (field, key) = (row.field, row.name.description)
    if case .className = row.reading {
      member(key, text: fields.text(field) ?? objectClass.word)
    } else if case .media = row.reading {
      media(key, fields)
    } else if case .time = row.reading, let original = field.original, fields.has(original) {
      member(key, text: fields.text(original))
    } else {
      member(key) { fields.isNull(field) ? $0.null() : $0.value(row, fields) }
    }
  }

  private mutating func value(_ row: FieldTable.Row, _ fields: ObjectFields) {
    let field = row.field
    switch row.reading {
    case .text, .id: string(fields.text(field) ?? "")
    case .integer: number(fields.integer(field) ?? 0)
    case .flag: boolean(fields.boolean(field) ?? false)
    case .time: time(fields.time(field) ?? Timestamp(rawValue: 0))
    case .people: array { json in for person in fields.people(field) ?? [] { json.person(person) } }
    case .labels: array { json in for label in fields.labels(field) ?? [] { json.label(label) } }
    case .texts, .numbers:
      array { json in for text in fields.texts(field) ?? [] { json.string(text) } }
    case .files:
      array { json in
        for file in fields.files(field) ?? [] { json.object { $0.members(file, of: .file) } }
      }
    case .json: value(verbatim: fields.json(field) ?? Array("null".utf8))
    case .media, .className: null()
    }
  }

  /// Writes a member, if it has a text.
  private mutating func member(_ key: String, text: String?) {
    if let text { member(key, text) }
  }

  /// The number from which clients read times as milliseconds.
  private static let leastMilliseconds: Int64 = 100_000_000_000

  private mutating func time(_ time: Timestamp) {
    if time.rawValue % 1000 == 0, abs(time.rawValue / 1000) < Self.leastMilliseconds {
      number(time.rawValue / 1000)
    } else if time.rawValue >= Self.leastMilliseconds {
      number(time.rawValue)
    } else {
      string(time.description)
    }
  }
}

extension FieldTable.Row {
  /// Whether an object has something to write for the row; `present` are the numbers of its fields
  /// from that row on.
  fileprivate func isMember(where present: ArraySlice<Int>) -> Bool {
    let number = field.rawValue
    return switch reading {
    case .className: true
    case .media: present.contains { $0 == number || $0 == ObjectField.mediaText.rawValue }
    case .time: present.first == number || present.first == field.original?.rawValue
    default: present.first == number
    }
  }
}

// Parts.
extension JSONWriter {
  private mutating func person(_ person: ObjectPerson) {
    object { json in
      json.member("name", text: person.name)
      json.member("email", text: person.email)
      json.members(verbatim: person.unknown?.bytes.payloadBytes)
    }
  }

  private mutating func label(_ label: ObjectLabel) {
    object { json in
      json.member("id", text: label.id)
      json.member("name", text: label.name)
      json.member("display_name", text: label.displayName)
      json.members(verbatim: label.unknown?.bytes.payloadBytes)
    }
  }

  private mutating func media(_ key: String, _ fields: ObjectFields) {
    member(key) { json in
      json.object { json in
        json.member("url", text: fields.text(.mediaURL))
        json.member("altText", text: fields.text(.mediaText))
      }
    }
  }

  /// Writes the members of an object that is already JSON.
  private mutating func members(verbatim object: RawSpan?) {
    guard let object else { return }
    var scanner = JSONScanner(object)
    try? scanner.open(.object)
    while let key = try? scanner.nextName(), let token = try? scanner.value() {
      name(object.text(of: key))
      value(verbatim: object.bytes(token.range))
    }
  }
}

extension RawSpan {
  /// The names of an object's members.
  fileprivate var memberNames: Set<String> {
    var (names, scanner): (Set<String>, JSONScanner) = ([], JSONScanner(self))
    try? scanner.open(.object)
    while let name = try? scanner.nextName(), (try? scanner.value()) != nil {
      names.insert(text(of: name))
    }
    return names
  }

  /// Returns a copy of a range of the bytes.
  fileprivate func bytes(_ range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(payload: extracting(range))
    return copy
  }
}
