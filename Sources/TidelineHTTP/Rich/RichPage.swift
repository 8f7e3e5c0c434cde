import EventStore
import Tideline

/// The messages of a rich inbox, as a server of the protocol answers; see <doc:RichInboxProtocol>.
package struct RichPage: Sendable {
  /// The messages, in the server's order.
  package let items: WireItems
  /// Whether these are all that are active: an active message that is not here is not there.
  package let isComplete: Bool
  /// How long the inbox is not to be asked for by hand, in milliseconds, where the server says so.
  package let refreshInterval: Int64?

  /// The longest time between two refreshes that a server can ask for, in seconds: a day.
  private static let secondsMax: Int64 = 86_400

  /// The question for the messages, at a path of the server's.
  ///
  /// - Parameter etag: What the last answer was marked with, if it may be that nothing has changed.
  package static func request(
    to path: String = "/inbox/messages", unlessIs etag: String? = nil
  ) -> HTTPRequest {
    HTTPRequest("GET", path, headers: etag.map { [.init("If-None-Match", $0)] } ?? [])
  }

  /// Reads a page.
  ///
  /// - Throws: ``JSONFault`` where the bytes are no JSON, or no such page.
  /// - Complexity: O(*n*) in the bytes, with one allocation for each message.
  package init(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    var (hasMessages, isComplete): (Bool, Bool) = (false, false)
    var seconds: Int64?
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      switch Self.names.index(of: name, in: bytes) {
      case 0:
        hasMessages = true
        try scanner.open(.array)
        while try scanner.nextItem() { try reader.takeObject(&scanner, .rich, .whole) }
      case 1: isComplete = try scanner.value().kind == .yes
      case 2: seconds = bytes.count(of: try scanner.value())
      default: _ = try scanner.value()
      }
    }
    try scanner.finish()
    guard hasMessages else { throw JSONFault(.missing("messages"), at: 0) }
    items = reader.items
    // A message that could not be read is there nevertheless, though nobody may know its id.
    self.isComplete = isComplete && reader.items.refused.isEmpty
    refreshInterval = seconds.map { min(max($0, 0), Self.secondsMax) * 1000 }
  }

  private static let names = JSONNames(["messages", "complete", "refreshAfter"])
}

extension RawSpan {
  /// The number that a value is, if it is one without a fraction.
  func count(of value: JSONToken) -> Int64? {
    value.kind == .number ? plainInteger(of: value) : nil
  }
}
