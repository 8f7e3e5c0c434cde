/// Why bytes could not be read as JSON, or as what the JSON was to say, and where.
package struct JSONFault: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// The bytes end within a value.
    case cutOff
    /// The byte is not one that may stand there.
    case unexpected
    /// There is something behind the outermost value.
    case trailing
    /// Objects and arrays lie within each other deeper than a limit.
    case nestedTooDeep(limit: Int)
    /// A text is not UTF-8.
    case notUTF8
    /// A value is of another type than it has to be.
    case wrongType(String, expected: String)
    /// Something has to be there and is not.
    case missing(String)
    /// A word stands for nothing that is known.
    case unknownWord(String)
    /// Something has more bytes than it may have.
    case tooLong(String, limit: Int)
    /// A number or a time is beyond what the field can mean.
    case absurd(String)
    /// A thing is said twice, and not alike.
    case contradiction(String)
  }

  /// What is wrong.
  package let reason: Reason

  /// Where it is wrong, in bytes from the beginning of the text.
  package let offset: Int

  /// A fault at an offset from the beginning of the text.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONFault: CustomStringConvertible {
  /// One sentence that says what is wrong, and at which byte.
  package var description: String { "Byte \(offset): \(reason)." }
}

extension JSONFault.Reason: CustomStringConvertible {
  /// What is wrong, as a clause.
  package var description: String {
    switch self {
    case .cutOff: "the JSON ends within a value"
    case .unexpected: "it is not what JSON may have there"
    case .trailing: "something follows the JSON"
    case .nestedTooDeep(let limit): "values are nested deeper than \(limit)"
    case .notUTF8: "a text is not UTF-8"
    case .wrongType(let name, let expected): "\(name) is not \(expected)"
    case .missing(let name): "\(name) is missing"
    case .unknownWord(let name): "the \(name) is none that is known"
    case .tooLong(let name, let limit): "\(name) has more than \(limit) bytes"
    case .absurd(let name): "\(name) is out of range"
    case .contradiction(let name): "there are two of \(name)"
    }
  }
}
