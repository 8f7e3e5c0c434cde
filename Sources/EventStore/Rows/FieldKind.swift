/// The kind of a field's values.
public enum FieldKind: UInt8, Sendable, Codable, CaseIterable {
  /// A signed 64-bit integer.
  case integer = 1
  /// True or false.
  case boolean = 2
  /// A moment in milliseconds.
  case timestamp = 3
  /// A floating-point number.
  case double = 4
  /// A text stored in the row.
  case text = 5
  /// Several texts, sorted and without duplicates, such as tags.
  case texts = 6
  /// Text or bytes that stay in the log, with a digest of the content and its place.
  case reference = 7
  /// The row id of another row; for reducers only, never visible.
  case link = 8

  /// Whether the eight-byte slot holds the value itself (for a reference, the digest) rather than
  /// the location of its bytes.
  var isFixed: Bool {
    switch self {
    case .integer, .boolean, .timestamp, .double, .reference, .link: true
    case .text, .texts: false
    }
  }
}
