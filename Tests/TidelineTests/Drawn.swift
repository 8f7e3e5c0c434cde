import EventStore
import Foundation
import TestSupport
import Tideline

/// Values drawn at random from a small pool, so that equal values occur.
enum Drawn {
  /// Texts that are hard to compare.
  static let texts = [
    "", "a", "A", "ab", "aB", "z", "K", "Ka", "\u{212A}", "\u{E9}", "e\u{301}", "\u{E9}a",
    "e\u{301}a", "e", "ea", "\u{C5}", "A\u{30A}", "\u{212B}b", "\u{915}\u{93C}", "\u{958}a",
    "👨‍👩‍👧", "👨", "👨‍👩‍👧!", "\r", "\r\n", "\r\nb", "ß", "ss", "ﬁn", "\0", "\u{10FFFF}", "か\u{3099}", "が",
  ]

  static func text(_ dice: inout SeededGenerator) -> String {
    texts[Int.random(in: texts.indices, using: &dice)]
  }

  static func folded(_ dice: inout SeededGenerator) -> FoldedText { FoldedText(text(&dice)) }

  static func number(_ dice: inout SeededGenerator) -> Int { .random(in: -2...3, using: &dice) }

  /// Returns a moment around a fixed date, at or between whole milliseconds.
  static func date(_ dice: inout SeededGenerator) -> Date {
    let step = Double(Int.random(in: -6...6, using: &dice)) / 2000
    return Date(timeIntervalSince1970: 1_750_000_000 + step)
  }

  /// Sets the field to a drawn value, or leaves it empty.
  static func set(
    _ field: FieldDeclaration, _ row: inout MutableRow, _ dice: inout SeededGenerator
  ) {
    guard Int.random(in: 0..<4, using: &dice) > 0 else { return }
    switch field.kind {
    case .integer: row[Field<Int>(field.name, field.number)] = number(&dice)
    case .boolean: row[Field<Bool>(field.name, field.number)] = Bool.random(using: &dice)
    case .timestamp: row[Field<Timestamp>(field.name, field.number)] = date(&dice).kept
    case .text:
      let people = [Participant(name: text(&dice), email: text(&dice)), Participant(email: "b")]
      let isPeople = ["participants", "from", "to", "cc", "bcc", "replyTo"].contains(field.name)
      row[Field<String>(field.name, field.number)] = isPeople ? people.kept : text(&dice)
    case .texts: row[Field<Set<String>>(field.name, field.number)] = [text(&dice), text(&dice)]
    case .reference:
      row[Field<TextReference>(field.name, field.number)] = TextReference(
        record: RecordNumber(rawValue: .random(in: 1...9, using: &dice)), field: 3,
        digest: dice.next())
    case .double, .link: break
    }
  }

  /// Returns an object with drawn values for the fields of its collection.
  static func object<Object: Model>(
    _ type: Object.Type, _ dice: inout SeededGenerator
  ) throws -> Object {
    let blank = Object(id: "7", account: 7)
    let row = try Row(blank.rowID, in: Object.collection) { row in
      for field in Object.collection.fields where field.name != "hiding" {
        set(field, &row, &dice)
      }
      row[Field<Int>("account", 1)] = 7
      if Object.self is Message.Type { row[Field<Int>("kind", 12)] = 1 }
      if Object.self is Draft.Type { row[Field<Int>("kind", 12)] = 2 }
    }
    guard let object = Object(row) else { throw Unread(id: row.id) }
    return object
  }

  struct Unread: Error { let id: String }
}

// Aliases, because the testing library also has types named `Tag` and `Attachment`.
typealias InboxTag = Tag
typealias InboxFile = Attachment
