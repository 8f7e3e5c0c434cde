import EventStore
import Tideline
import TidelineReplay

extension JSONWriter {
  /// Writes a named row, or null.
  mutating func member(_ name: String, _ row: Row?, _ collection: RowCollection) {
    self.name(name)
    if let row { self.row(row, collection) } else { null() }
  }

  /// Writes the change of a row.
  mutating func step(_ step: RowStep) {
    object { json in
      json.member("collection", step.collection.name)
      json.member("id", step.id)
      json.member("old", step.old, step.collection)
      json.member("new", step.new, step.collection)
    }
  }

  /// Writes the change of a list.
  mutating func step(_ step: ListStep) {
    object { json in
      json.member("list", step.list.description)
      json.member("oldCount", step.change.oldCount)
      json.member("newCount", step.change.newCount)
      json.member("edits", step.edits.joined(separator: ", "))
    }
  }

  /// Writes a record and its origin.
  mutating func testimony(_ testimony: Testimony) {
    object { json in
      json.member("number", testimony.number.rawValue)
      json.member("recordedAt", testimony.record.header.recordedAt.description)
      json.member("origin", testimony.record.header.origin == .fact ? "fact" : "intent")
      json.member("text", testimony.text)
      json.member("cause", testimony.cause?.number.description)
      json.member("exchange", testimony.exchange?.number.description)
    }
  }
}

extension RowStep {
  /// Returns the change of the row in lines for people; texts in a log are shown by their
  /// beginning.
  func lines(of log: Log?) -> [String] {
    let mark = old == nil ? "+" : new == nil ? "-" : "~"
    let head = "  \(mark) \(collection.name)/\(id)"
    guard old != nil, new != nil else { return [head] }
    return [head]
      + told(of: log).map { field, old, new in
        "      \(field): \(old ?? "none") → \(new ?? "none")".printable(columns: 160)
      }
  }

  /// Returns the fields that differ, with their old and new values for people.
  func told(of log: Log?) -> [(field: String, old: String?, new: String?)] {
    let fields = fields
    return collection.fields.compactMap { field in
      guard fields.contains(field: field.number) else { return nil }
      let old = old?.told(field, in: collection, of: log)
      let new = new?.told(field, in: collection, of: log)
      return old == nil && new == nil ? nil : (field.name, old, new)
    }
  }
}

extension Row {
  /// The maximum length of a text shown among other values, in characters.
  private static let textMax = 60

  /// The field that lists the known fields, which are shown individually.
  private static let known = "known"

  /// Returns the value of a field for people: the meaning of a code, or the beginning and place of
  /// a text that stays in a log.
  func told(_ field: FieldDeclaration, in collection: RowCollection, of log: Log?) -> String? {
    guard field.name != Self.known else { return nil }
    if let words = words(of: field, in: collection) { return words }
    guard let reference = reference(of: field), let log else { return text(of: field) }
    guard let content = try? log.content(of: reference) else {
      return "a text in #\(reference.record), which is missing"
    }
    let text = String(decoding: content.prefix(4 * Self.textMax), as: UTF8.self)
    return "“\(text.printable(columns: Self.textMax))” in #\(reference.record)"
  }
}

extension ListStep {
  /// The change of the list, in a line for people.
  var line: String { "  ≡ \(list): \(edits.joined(separator: ", "))".printable(columns: 160) }

  /// The whole change of the list, in lines for people; in one line, if it fits.
  var lines: [String] {
    let all = "  ≡ \(list): \(edits.joined(separator: ", "))"
    guard all != line else { return [line] }
    return ["  ≡ \(list): \(change.newCount) instead of \(change.oldCount)"]
      + edits.map { "      \($0)".printable(columns: 160) }
  }

  /// The edits of the list, by indices.
  fileprivate var edits: [String] {
    let edits = change.edits
    var parts: [String] = []
    if change.isReset { parts.append("reset to \(change.newCount) rows") }
    parts +=
      edits.removals.map { "-\($0.index) \($0.id)" }
      + edits.insertions.map { "+\($0.index) \($0.row.id)" }
    parts += edits.moves.map { "\($0.old)→\($0.new)" }
    parts += edits.updates.map { "~\($0.index)" }
    return parts
  }
}
