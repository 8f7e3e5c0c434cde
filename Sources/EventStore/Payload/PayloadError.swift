/// Why bytes could not be read as a payload, and where.
public struct PayloadError: Error, Sendable, Hashable {
  /// What is wrong with the bytes.
  public enum Reason: Sendable, Hashable {
    /// The bytes end within a varint or a double.
    case truncated
    /// A varint does not fit into 64 bits.
    case varintTooLong
    /// A varint has bytes that it could do without, so equal values would have unequal bytes.
    case varintNotMinimal
    /// A length reaches beyond the end of what holds it.
    case lengthBeyondEnd(UInt64)
    /// A field's number is zero or above ``PayloadFormat/fieldNumberLimit``.
    case numberOutOfRange(UInt64)
    /// A field's number is not above that of the field before it.
    case numberNotAscending(Int, after: Int)
    /// An item of a list has a number.
    case numberedItem(UInt64)
    /// The type is one that this version does not know, and so can't skip either.
    case reservedType(UInt8)
    /// A text is not UTF-8.
    case invalidUTF8
    /// Fields and lists lie within each other deeper than ``PayloadFormat/nestingLimit``.
    case nestedTooDeep
    /// A value was asked for as something that it is not.
    case typeMismatch(PayloadType, expected: PayloadType)
  }

  /// What is wrong.
  public let reason: Reason

  /// Where it is wrong, in bytes from the start of the outermost payload.
  public let offset: Int

  /// An error at an offset from the start of the outermost payload.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension PayloadError: CustomStringConvertible {
  /// One sentence that says what is wrong, and at which byte.
  public var description: String { "Malformed payload at byte \(offset): \(reason)." }
}

extension PayloadError.Reason: CustomStringConvertible {
  /// What is wrong, as a clause.
  public var description: String {
    switch self {
    case .truncated: "the bytes end within a value"
    case .varintTooLong: "a varint does not fit into 64 bits"
    case .varintNotMinimal: "a varint is longer than it needs to be"
    case .lengthBeyondEnd(let length): "a length of \(length) reaches beyond the end"
    case .numberOutOfRange(let number):
      "the field number \(number) is not within 1...\(PayloadFormat.fieldNumberLimit)"
    case .numberNotAscending(let number, let last): "field \(number) comes after field \(last)"
    case .numberedItem(let number): "an item of a list has the number \(number)"
    case .reservedType(let code): "the type \(code) is reserved"
    case .invalidUTF8: "a text is not UTF-8"
    case .nestedTooDeep: "values are nested deeper than \(PayloadFormat.nestingLimit)"
    case .typeMismatch(let type, let expected): "expected \(expected), found \(type)"
    }
  }
}
