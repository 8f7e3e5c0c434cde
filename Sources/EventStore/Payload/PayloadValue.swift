/// A value of a payload, owned: a tree that may be kept and compared, unlike what a reader lends.
///
/// Two values are equal if their encodings are: doubles by their bits, texts by their UTF-8.
///
/// A decoded value is nested no deeper than ``PayloadFormat/nestingLimit``. Encoding a deeper one
/// is a programming error, and traps.
public enum PayloadValue: Sendable {
  /// A field that is present but holds nothing.
  case null
  /// True or false.
  case boolean(Bool)
  /// An integer.
  case integer(Int64)
  /// A double, preserved to the bit.
  case double(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case bytes([UInt8])
  /// Nested fields.
  case fields(PayloadFields)
  /// An ordered list of values.
  case list([PayloadValue])

  /// The type of the value.
  public var type: PayloadType {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .text: .text
    case .bytes: .bytes
    case .fields: .fields
    case .list: .list
    }
  }
}

extension PayloadValue: Hashable {
  /// Whether the encodings of both values are the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    // Strings are equal if they are canonically equivalent, even with different encodings.
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.fields(let left), .fields(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// Feeds the parts that equality compares to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .text(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .fields(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    }
  }
}
