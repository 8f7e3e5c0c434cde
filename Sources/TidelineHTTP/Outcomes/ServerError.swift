import EventStore
import Tideline

/// The error that a server of the Inbox API reports.
///
///     {"type": "invalid_request_error", "message": "Invalid cursor parameter"}
package struct ServerError: Sendable, Hashable {
  /// The kind of error, in the server's words.
  package private(set) var type: String?
  /// The message, for people.
  package private(set) var message: String?

  /// Reads an answer as far as it is such an error; an intermediary may answer anything.
  package init(_ body: [UInt8]) {
    try? read(body.payloadBytes)
  }

  private mutating func read(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = JSONScanner(bytes)
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      let value = try scanner.value()
      guard value.kind == .string, value.end - value.start <= Self.bytesMax else { continue }
      switch Self.names.index(of: name, in: bytes) {
      case 0: type = bytes.text(of: value)
      case 1: message = bytes.text(of: value)
      default: break
      }
    }
  }

  private static let names = JSONNames(["type", "message"])
  /// The maximum size in bytes of a text that is kept.
  private static let bytesMax = 1000

  /// Whether the error is about the cursor: unknown, too old, another account's, or missing.
  var isAboutCursor: Bool {
    guard type == "invalid_request_error", let message = message?.lowercased() else { return false }
    return message.contains("cursor") || message.contains("invalid id")
  }
}
