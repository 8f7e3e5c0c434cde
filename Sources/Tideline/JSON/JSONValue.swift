import EventStore

/// A JSON value, which preserves everything but spaces and the order of an object's members.
///
/// Values are equal if their serialized texts have the same bytes.
package indirect enum JSONValue: Sendable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number as its digits, so that none is too large or too precise.
  case number(String)
  /// A string.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name.
  case object(JSONObject)

  /// The maximum nesting depth of objects and arrays; a deeper value is refused.
  package static let nestingLimit = 32

  /// The value on a single line, the same for equal values.
  package var text: String { JSONWriter.text { write(to: &$0) } }

  func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .boolean(let value): json.boolean(value)
    case .number(let digits): json.number(verbatim: digits)
    case .string(let value): json.string(value)
    case .array(let values):
      json.array { json in for value in values { value.write(to: &json) } }
    case .object(let members):
      json.object { json in
        for member in members { json.member(member.name) { member.value.write(to: &$0) } }
      }
    }
  }
}

extension JSONValue: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    // Swift compares strings by canonical equivalence, not by their bytes.
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}
