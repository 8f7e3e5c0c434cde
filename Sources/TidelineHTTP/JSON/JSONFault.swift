/// Why and where bytes could not be read as JSON, or as the expected JSON.
package struct JSONFault: Error, Hashable, Sendable {
  /// The kind of fault.
  package enum Reason: Hashable, Sendable {
    /// The bytes end within a value.
    case cutOff
    /// The byte is not allowed at its place.
    case unexpected
    /// Bytes follow the outermost value.
    case trailing
    /// Objects and arrays are nested deeper than a limit.
    case nestedTooDeep(limit: Int)
    /// A text is not UTF-8.
    case notUTF8
    /// A value is not of the expected type.
    case wrongType(String, expected: String)
    /// A required value is missing.
    case missing(String)
    /// A word has no known meaning.
    case unknownWord(String)
    /// A value exceeds its limit in bytes.
    case tooLong(String, limit: Int)
    /// A number or a time is out of the field's range.
    case absurd(String)
    /// A value is given twice, with different contents.
    case contradiction(String)
  }

  /// The kind of fault.
  package let reason: Reason

  /// The offset of the fault, in bytes from the beginning of the text.
  package let offset: Int

  /// Creates a fault at an offset from the beginning of the text.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONFault: CustomStringConvertible {
  /// One sentence that gives the fault and its byte offset.
  package var description: String { "Byte \(offset): \(reason)." }
}

extension JSONFault.Reason: CustomStringConvertible {
  /// The fault, as a clause.
  package var description: String {
    switch self {
    case .cutOff: "the JSON ends within a value"
    case .unexpected: "unexpected in JSON at this place"
    case .trailing: "text follows the JSON"
    case .nestedTooDeep(let limit): "values are nested more than \(limit) levels deep"
    case .notUTF8: "a string is not UTF-8"
    case .wrongType(let name, let expected): "\(name) is not \(expected)"
    case .missing(let name): "\(name) is missing"
    case .unknownWord(let name): "the \(name) is unknown"
    case .tooLong(let name, let limit): "\(name) has more than \(limit) bytes"
    case .absurd(let name): "\(name) is out of range"
    case .contradiction(let name): "\(name) is given twice"
    }
  }
}
