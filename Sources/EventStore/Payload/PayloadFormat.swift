/// What both ends of the payload coding agree on.
///
/// The form itself is described in <doc:PayloadFormat>.
public enum PayloadFormat {
  /// The highest number that a field may have; the lowest is 1.
  public static let fieldNumberLimit = 1 << 28

  /// How many fields and lists may lie within each other.
  ///
  /// A payload of plain values has none; one holding a list of integers has one.
  public static let nestingLimit = 64
}

/// What kind of value a field or a list's item holds.
public enum PayloadType: Sendable, Hashable {
  /// Nothing, though the field is there.
  case null
  /// True or false.
  case boolean
  /// A signed integer of 64 bits.
  case integer
  /// A double.
  case double
  /// UTF-8.
  case text
  /// Bytes.
  case bytes
  /// Fields of their own.
  case fields
  /// Items in order.
  case list
}

/// The low four bits of a tag: the type as it is written.
///
/// The codes 9 to 15 are reserved; a reader refuses them, as it can't know where they end.
enum PayloadCode: UInt8 {
  case null, no, yes, integer, double, text, bytes, fields, list

  /// How many bits of a tag the code takes.
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
