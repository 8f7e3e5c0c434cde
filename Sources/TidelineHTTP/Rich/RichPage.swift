import EventStore
import Tideline

/// The messages of a rich inbox, as a server of the protocol answers; see <doc:RichInboxProtocol>.
package struct RichPage: Sendable {
  /// The messages, in the server's order.
  package let items: WireItems
  /// Whether these are all active messages: an active message missing here no longer exists.
  package let isComplete: Bool
  /// The time in milliseconds during which the inbox is not to be refreshed by hand, if the server
  /// gives one.
  package let refreshInterval: Int64?

  /// The longest refresh interval that a server can ask for, in seconds: one day.
  private static let secondsMax: Int64 = 86_400

  /// Returns the request for the messages, to a path on the server.
  ///
  /// - Parameter etag: The `ETag` of the last answer, if "nothing has changed" is an acceptable
  ///   answer.
  package static func request(
    to path: String = "/inbox/messages", unlessIs etag: String? = nil
  ) -> HTTPRequest {
    HTTPRequest("GET", path, headers: etag.map { [.init("If-None-Match", $0)] } ?? [])
  }

  /// Reads a page.
  ///
  /// - Throws: ``JSONFault`` if the bytes are not JSON or not such a page.
  /// - Complexity: O(*n*) in the bytes; the facts share their memory.
  package init(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    var (hasMessages, isComplete): (Bool, Bool) = (false, false)
    var seconds: Int64?
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      switch Self.names.index(of: name, in: bytes) {
      case 0:
        guard !hasMessages else { throw JSONFault(.contradiction("messages"), at: name.start) }
        hasMessages = true
        try reader.takeItems(&scanner) { reader, scanner throws(JSONFault) in
          try reader.takeObject(&scanner, .rich, .whole)
        }
      case 1: isComplete = try scanner.value().kind == .yes
      case 2: seconds = bytes.count(of: try scanner.value())
      default: _ = try scanner.value()
      }
    }
    try scanner.finish()
    guard hasMessages else { throw JSONFault(.missing("messages"), at: 0) }
    items = reader.finish()
    // An unreadable message exists nevertheless, though its id may be unknown.
    self.isComplete = isComplete && items.refused.isEmpty
    refreshInterval = seconds.map { min(max($0, 0), Self.secondsMax) * 1000 }
  }

  private static let names = JSONNames(["messages", "complete", "refreshAfter"])
}

extension RawSpan {
  /// Returns the number of a value, if it is one without a fraction.
  func count(of value: JSONToken) -> Int64? {
    value.kind == .number ? plainInteger(of: value) : nil
  }
}
