/// What a field of a row can hold.
public enum FieldKind: UInt8, Sendable, Codable, CaseIterable {
  /// A signed integer of 64 bits.
  case integer = 1
  /// True or false.
  case boolean = 2
  /// A moment, in milliseconds.
  case timestamp = 3
  /// A floating-point number.
  case double = 4
  /// Text, kept in the row.
  case text = 5
  /// Several texts, sorted and each once: tags, for example.
  case texts = 6
  /// Text or bytes that stay in the log: a digest of the content, and where it is.
  case reference = 7
  /// The row id of another row: for reducers alone, and never visible.
  case link = 8

  /// Whether the slot of eight bytes holds the value itself, rather than where its bytes lie; of a
  /// reference, the digest.
  var isFixed: Bool {
    switch self {
    case .integer, .boolean, .timestamp, .double, .reference, .link: true
    case .text, .texts: false
    }
  }
}
