extension JSONValue {
  /// The value as text: a string that is not empty, or a number's digits.
  package var asText: String? {
    switch self {
    case .string(let value): value.nonempty
    case .number(let digits): digits
    default: nil
    }
  }

  /// The value as an integer, from a number or a string; nothing is rounded.
  package var asInteger: Int64? {
    guard let text = asText else { return nil }
    if let value = Int64(text) { return value }
    guard let double = Double(text), double.magnitude < 0x1p53 else { return nil }
    return Int64(exactly: double)
  }

  /// The value as a Boolean: true or false, a number that is zero or not, or a word such as `yes`.
  package var asFlag: Bool? {
    switch self {
    case .boolean(let value): value
    case .number(let digits): Double(digits).map { $0 != 0 }
    case .string(let word):
      switch word.lowercased() {
      case "true", "yes", "y", "1", "on": true
      case "false", "no", "n", "0", "off", "": false
      default: nil
      }
    default: nil
    }
  }

  /// Whether the value is present and doesn't mean no.
  package var saysYes: Bool {
    switch self {
    case .null: false
    case .object, .array: true
    default: asFlag ?? true
    }
  }
}
