import EventStore

/// Shows the fields that have a value as `name=value`, one after the other.
struct EventLine: EventCoder {
  private(set) var text: String

  init(_ text: String) { self.text = text }

  mutating func code<Value: EventValue>(_ number: Int, _ name: String, _ value: inout Value) {
    guard value != Value.absent else { return }
    text += " \(name)=\(value.line)"
  }

  mutating func code(object: inout ObjectFields) { text += " \(object.line)" }

  /// Returns a text's beginning for use in a line, without characters that move a terminal's
  /// cursor.
  static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(charactersMax).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
      default: String(scalar)
      }
    }
    let isWhole = text.unicodeScalars.count <= charactersMax
    return "“\(shown.joined())\(isWhole ? "" : "…")”"
  }

  /// Returns items for use in a line: the first few, and how many are left out.
  static func list(_ items: [some EventValue]) -> String {
    let rest = items.count - itemsMax
    let more = rest > 0 ? ["and \(rest) more"] : []
    return "[\((items.prefix(itemsMax).map(\.line) + more).joined(separator: ", "))]"
  }

  private static let charactersMax = 40
  private static let itemsMax = 5
}
