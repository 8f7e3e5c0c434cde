/// A whole value of a JSON text: its kind and its position, brackets or quotes included.
package struct JSONToken: Hashable, Sendable {
  /// The kind of a value.
  package enum Kind: Sendable {
    /// Values by name.
    case object
    /// Values in order.
    case array
    /// A string.
    case string
    /// A number.
    case number
    /// True.
    case yes
    /// False.
    case no
    /// Null.
    case null
  }

  /// The kind of the value.
  package let kind: Kind
  /// Whether the value is a string with escapes.
  package let isEscaped: Bool
  /// The offset of its first byte.
  package let start: Int
  /// The offset just past its last byte.
  package let end: Int

  /// Creates a token for the value between two offsets.
  package init(_ kind: Kind, _ start: Int, _ end: Int, isEscaped: Bool = false) {
    self.kind = kind
    self.start = start
    self.end = end
    self.isEscaped = isEscaped
  }

  /// The range of the value.
  package var range: Range<Int> { start..<end }

  /// The range of a string's content, without the quotes.
  package var content: Range<Int> { (start + 1)..<(end - 1) }
}

extension JSONToken.Kind {
  /// The opening bracket of an object or an array.
  var opening: UInt8 {
    switch self {
    case .object: JSONByte.object
    default: JSONByte.array
    }
  }
}
