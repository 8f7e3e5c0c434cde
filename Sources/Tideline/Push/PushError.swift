public import EventStore

/// Why a push is not recorded; one that is not ours is no error.
public enum PushError: Error, Hashable, Sendable {
  /// The bytes end before it can be told whose the push is, or which message it is about.
  case cutOff
  /// The bytes are no object of JSON; the byte at this offset is wrong.
  case malformed(offset: Int)
  /// Objects and arrays lie within each other deeper than ``PushPayload/nestingLimit``.
  case nestedTooDeep
  /// It has more bytes than ``PushPayload/bytesMax``.
  case tooLarge(bytes: Int)
  /// A dictionary holds something that JSON has nothing for, such as a name that is no string.
  case foreignValue(type: String)
  /// It is ours, and about a message, but doesn't say which; or its id is over the limit.
  case noID
  /// It could not be written.
  case notRecorded(LogError)
}

extension PushError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .cutOff: "The push is cut off before its message's id. Refresh the inbox instead."
    case .malformed(let offset): "The push is no JSON object: byte \(offset) is wrong."
    case .nestedTooDeep: "The push is nested deeper than \(PushPayload.nestingLimit)."
    case .tooLarge(let bytes):
      "The push has \(bytes) bytes; the limit is \(PushPayload.bytesMax)."
    case .foreignValue(let type): "The push holds a \(type), for which JSON has nothing."
    case .noID: "The push is about a message but has no id for it. Refresh the inbox instead."
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
