import EventStore

/// Shows the fields that say something as `name=value`, one behind the other.
struct EventLine: EventCoder {
  private(set) var text: String

  init(_ text: String) { self.text = text }

  mutating func code<Value: EventValue>(_ number: Int, _ name: String, _ value: inout Value) {
    guard value != Value.absent else { return }
    text += " \(name)=\(value.line)"
  }

  mutating func code(object: inout ObjectFields) { text += " \(object.line)" }

  /// A text for a line: its beginning, without what would move a terminal's cursor.
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

  /// Items for a line: the first few of them, and how many are left out.
  static func list(_ items: [String]) -> String {
    let rest = items.count - itemsMax
    let more = rest > 0 ? ["and \(rest) more"] : []
    return "[\((items.prefix(itemsMax) + more).joined(separator: ", "))]"
  }

  private static let charactersMax = 40
  private static let itemsMax = 5
}

/// Lists the fields of an event or a part of one.
package struct EventShape: EventCoder, Hashable, Sendable {
  /// A field as it is listed.
  package struct Field: Hashable, Sendable {
    /// Its number.
    package let number: Int
    /// Its name.
    package let name: String
    /// What it holds, for people.
    package let type: String
    /// Whether an event without it can't be read.
    package let isRequired: Bool
  }

  /// The fields, but for those of an object.
  package private(set) var fields: [Field] = []
  /// Whether fields of an object come before them.
  package private(set) var hasObject = false

  /// The shape of the parts of a type.
  package init<Part: EventPart>(of type: Part.Type) {
    var part = Part()
    part.code(&self)
  }

  package mutating func code<Value: EventValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) {
    let isRequired = Value.absent == nil
    fields.append(
      Field(number: number, name: name, type: Value.typeName, isRequired: isRequired))
  }

  package mutating func code(object: inout ObjectFields) { hasObject = true }
}
