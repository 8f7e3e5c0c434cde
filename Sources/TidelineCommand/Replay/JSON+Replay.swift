import EventStore
import TidelineReplay

extension JSONWriter {
  /// A named row, or nothing.
  mutating func member(_ name: String, _ row: Row?, _ collection: RowCollection) {
    self.name(name)
    if let row { self.row(row, collection) } else { null() }
  }

  /// What happened to a row.
  mutating func step(_ step: RowStep) {
    object { json in
      json.member("collection", step.collection.name)
      json.member("id", step.id)
      json.member("old", step.old, step.collection)
      json.member("new", step.new, step.collection)
    }
  }

  /// What happened to a list.
  mutating func step(_ step: ListStep) {
    object { json in
      json.member("list", step.list.description)
      json.member("oldCount", step.change.oldCount)
      json.member("newCount", step.change.newCount)
      json.member("edits", step.edits)
    }
  }

  /// A record, and where it came from.
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
  /// What happened to the row, in lines for people.
  var lines: [String] {
    let mark = old == nil ? "+" : new == nil ? "-" : "~"
    let head = "  \(mark) \(collection.name)/\(id)"
    guard old != nil, new != nil else { return [head] }
    return [head]
      + texts.map { "      \($0.field): \($0.old ?? "none") → \($0.new ?? "none")" }
      .map { $0.printable(columns: 160) }
  }
}

extension ListStep {
  /// What happened to the list, in a line for people.
  var line: String { "  ≡ \(list): \(edits)".printable(columns: 160) }

  /// What happened to the list, by indices.
  fileprivate var edits: String {
    let edits = change.edits
    var parts: [String] = []
    if change.isReset { parts.append("anew, with \(change.newCount) rows") }
    parts +=
      edits.removals.map { "-\($0.index) \($0.id)" }
      + edits.insertions.map { "+\($0.index) \($0.row.id)" }
    parts += edits.moves.map { "\($0.old)→\($0.new)" }
    parts += edits.updates.map { "~\($0.index)" }
    return parts.joined(separator: ", ")
  }
}
