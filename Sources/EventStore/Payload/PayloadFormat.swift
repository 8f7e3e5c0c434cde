/// The limits that both ends of the payload coding agree on.
///
/// The encoding is described in <doc:PayloadCoding>.
public enum PayloadFormat {
  /// The highest number that a field may have; the lowest is 1.
  public static let fieldNumberLimit = 1 << 28

  /// The maximum nesting of fields and lists.
  ///
  /// A payload of plain values has no nesting; one holding a list of integers has one level.
  public static let nestingLimit = 64
}

/// The type of a field's or list item's value.
public enum PayloadType: Sendable, Hashable {
  /// Nothing, though the field is present.
  case null
  /// True or false.
  case boolean
  /// A signed 64-bit integer.
  case integer
  /// A double.
  case double
  /// UTF-8.
  case text
  /// Bytes.
  case bytes
  /// Nested fields.
  case fields
  /// An ordered list of items.
  case list
}

/// The low four bits of a tag: the encoded type.
///
/// The codes 9 to 15 are reserved; a reader rejects them, because it can't know where their content
/// ends.
enum PayloadCode: UInt8 {
  case null, no, yes, integer, double, text, bytes, fields, list

  /// Creates the code with a raw value, if there is one.
  ///
  /// Other than what the compiler would make, it is inlined: it is called for each field read.
  @inline(__always)
  init?(rawValue: UInt8) {
    switch rawValue {
    case 0: self = .null
    case 1: self = .no
    case 2: self = .yes
    case 3: self = .integer
    case 4: self = .double
    case 5: self = .text
    case 6: self = .bytes
    case 7: self = .fields
    case 8: self = .list
    default: return nil
    }
  }

  /// The number of bits of a tag that the code takes.
  static let width = 4

  var type: PayloadType {
    switch self {
    case .null: .null
    case .no, .yes: .boolean
    case .integer: .integer
    case .double: .double
    case .text: .text
    case .bytes: .bytes
    case .fields: .fields
    case .list: .list
    }
  }
}
