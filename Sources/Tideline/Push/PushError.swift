public import EventStore

/// Why a push is not recorded; a push that is not ours is not an error.
public enum PushError: Error, Hashable, Sendable {
  /// The bytes end before the push's owner or its message can be determined.
  case cutOff
  /// The bytes are not a JSON object; the byte at this offset is wrong.
  case malformed(offset: Int)
  /// Objects and arrays are nested deeper than ``PushPayload/nestingLimit``.
  case nestedTooDeep
  /// The payload exceeds ``PushPayload/bytesMax``.
  case tooLarge(bytes: Int)
  /// A dictionary holds a value that JSON can't represent, such as a key that is not a string.
  case foreignValue(type: String)
  /// The push is ours and about a message, but has no id for it or one over the limit.
  case noID
  /// The push could not be written.
  case notRecorded(LogError)
}

extension PushError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .cutOff: "The push ends before its message's id. Refresh the inbox instead."
    case .malformed(let offset):
      "The push is not a valid JSON object: byte \(offset) is wrong. "
        + "Pass on the bytes that the system delivered."
    case .nestedTooDeep:
      "The push is nested more than \(PushPayload.nestingLimit) levels deep. "
        + "Let its sender flatten it."
    case .tooLarge(let bytes):
      "The push has \(bytes) bytes; the limit is \(PushPayload.bytesMax). "
        + "Refresh the inbox instead."
    case .foreignValue(let type):
      "The push holds a \(type), which JSON can't represent. Remove it from the dictionary."
    case .noID: "The push announces a message without its id. Refresh the inbox instead."
    case .notRecorded(let error): "The push was not recorded. \(error)"
    }
  }

  init(_ error: JSONError) {
    switch error {
    case .cutOff: self = .cutOff
    case .malformed(let offset): self = .malformed(offset: offset)
    case .nestedTooDeep: self = .nestedTooDeep
    }
  }
}
