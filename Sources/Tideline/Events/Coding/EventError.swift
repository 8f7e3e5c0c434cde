package import EventStore

/// Why bytes could not be decoded as an event, and in which field.
package struct EventError: Error, Hashable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// The bytes aren't a payload, or a field has the wrong type.
    case malformed(PayloadError)
    /// A required field is missing.
    case missing
    /// A number is not a known code.
    case unknownCode(Int64)
    /// The number of bytes differs from the expected one.
    case length(Int, expected: Int)
    /// A number is outside the field's range.
    case outOfRange(Int64)
    /// No known event has this kind.
    case unknownKind
    /// The version is not between 1 and the last known one.
    case unknownVersion(UInt8, last: UInt8)
    /// The payload was erased.
    case erased
  }

  /// The event's kind, once it is known.
  package var kind: EventKind?
  /// The names of the fields that lead to the error, outermost first; empty for the whole event.
  package var path: [String]
  /// What is wrong.
  package let reason: Reason

  /// Creates an error in the field at the end of a path.
  package init(_ reason: Reason, at path: [String] = [], kind: EventKind? = nil) {
    self.reason = reason
    self.path = path
    self.kind = kind
  }

  /// Returns the same error, as seen from the part that contains the named field.
  func within(_ name: String) -> EventError {
    EventError(reason, at: [name] + path, kind: kind)
  }

  /// Returns the same error, in an event of a kind.
  func of(_ kind: EventKind) -> EventError { EventError(reason, at: path, kind: kind) }
}

extension EventError: CustomStringConvertible {
  /// A sentence that says what is wrong, and where.
  package var description: String {
    let event = kind.map { "Event of kind \($0.digits)" } ?? "Event"
    let field = path.isEmpty ? "" : ", field \(path.joined(separator: "."))"
    return "\(event)\(field): \(reason)."
  }
}

extension EventError.Reason: CustomStringConvertible {
  /// What is wrong, as a clause.
  package var description: String {
    switch self {
    case .malformed(let error): "\(error.reason), at byte \(error.offset)"
    case .missing: "a required value is missing"
    case .unknownCode(let code): "the code \(code) is unknown"
    case .length(let count, let expected): "expected \(expected) bytes, found \(count)"
    case .outOfRange(let number): "the number \(number) is out of range"
    case .unknownKind: "the kind is unknown"
    case .unknownVersion(let version, let last):
      "version \(version) is unknown; known are 1 to \(last)"
    case .erased: "the payload was erased"
    }
  }
}
