/// A whole value of a JSON text: what it is and where it stands, its brackets or quotes included.
package struct JSONToken: Hashable, Sendable {
  /// What a value is.
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
    /// Nothing.
    case null
  }

  /// What it is.
  package let kind: Kind
  /// Whether it is a string that has escapes.
  package let isEscaped: Bool
  /// Where it begins.
  package let start: Int
  /// Where what follows it begins.
  package let end: Int

  /// A value that stands there.
  package init(_ kind: Kind, _ start: Int, _ end: Int, isEscaped: Bool = false) {
    self.kind = kind
    self.start = start
    self.end = end
    self.isEscaped = isEscaped
  }

  /// Where it stands.
  package var range: Range<Int> { start..<end }

  /// Where a string's content stands, without the quotes.
  package var content: Range<Int> { (start + 1)..<(end - 1) }
}

extension JSONToken.Kind {
  /// The bracket that an object or an array begins with.
  var opening: UInt8 {
    switch self {
    case .object: JSONByte.object
    default: JSONByte.array
    }
  }
}
