/// The reason that bytes could not be read as a payload, and its location.
public struct PayloadError: Error, Sendable, Hashable {
  /// The kind of error in the bytes.
  public enum Reason: Sendable, Hashable {
    /// The bytes end within a varint or a double.
    case truncated
    /// A varint does not fit into 64 bits.
    case varintTooLong
    /// A varint has redundant bytes, so equal values would have unequal bytes.
    case varintNotMinimal
    /// A length extends beyond the end of its container.
    case lengthBeyondEnd(UInt64)
    /// A field's number is zero or above ``PayloadFormat/fieldNumberLimit``.
    case numberOutOfRange(UInt64)
    /// A field's number does not exceed that of the previous field.
    case numberNotAscending(Int, after: Int)
    /// An item of a list has a number.
    case numberedItem(UInt64)
    /// This version doesn't know the type, and so can't skip it either.
    case reservedType(UInt8)
    /// A text is not UTF-8.
    case invalidUTF8
    /// Fields and lists are nested deeper than ``PayloadFormat/nestingLimit``.
    case nestedTooDeep
    /// A value was requested as another type.
    case typeMismatch(PayloadType, expected: PayloadType)
  }

  /// The kind of error.
  public let reason: Reason

  /// The location of the error, in bytes from the start of the outermost payload.
  public let offset: Int

  /// Creates an error at an offset from the start of the outermost payload.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension PayloadError: CustomStringConvertible {
  /// A sentence with the error and its byte offset.
  public var description: String { "Malformed payload at byte \(offset): \(reason)." }
}

extension PayloadError.Reason: CustomStringConvertible {
  /// The error as a clause.
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
