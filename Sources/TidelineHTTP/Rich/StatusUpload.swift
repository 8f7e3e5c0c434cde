package import EventStore
package import Tideline

/// Several message states that a device uploads to a server of rich messages together; see
/// <doc:RichInboxProtocol>.
package struct StatusUpload: Sendable, Hashable {
  /// The new state of a message.
  package enum State: String, Sendable, CaseIterable {
    /// The message is read.
    case read
    /// The message is unread again.
    case unread
    /// The message is permanently deleted.
    case deleted
    /// The message was opened.
    case opened
    /// The whole message was received for the first time.
    case received
  }

  /// The new state of one message.
  package struct Item: Sendable, Hashable {
    /// The message's id.
    package let id: String
    /// The new state.
    package let state: State
    /// The request id of the message's sending, if known.
    package let requestID: String?
    /// The time of the change by the device's clock, if known.
    package let time: Timestamp?

    /// Creates an item.
    package init(
      _ id: String, _ state: State, requestID: String? = nil, at time: Timestamp? = nil
    ) {
      self.id = id
      self.state = state
      self.requestID = requestID
      self.time = time
    }
  }

  /// The maximum number of items in an upload.
  package static let itemsMax = 1_000

  /// The items: each message at most once per state.
  package let items: [Item]
  /// The key by which the server recognizes a repeated request.
  package let key: OperationKey

  /// Creates an upload of at most ``itemsMax`` items; more trap.
  package init(_ items: [Item], key: OperationKey) {
    precondition(items.count <= Self.itemsMax, "more than \(Self.itemsMax) items in an upload")
    self.items = items
    self.key = key
  }

  /// Returns the request, to a path on the server.
  package func request(to path: String = "/inbox/status") -> HTTPRequest {
    HTTPRequest(
      "POST", path,
      headers: [.init("Content-Type", "application/json"), .init("Idempotency-Key", key.line)],
      body: body)
  }

  private var body: [UInt8] {
    Array(JSONWriter.object { json in json.member("items", items) { $0.item($1) } }.utf8)
  }
}

extension JSONWriter {
  fileprivate mutating func item(_ item: StatusUpload.Item) {
    object { json in
      json.member("id", item.id)
      json.member("state", item.state.rawValue)
      if let requestID = item.requestID { json.member("requestId", requestID) }
      if let time = item.time { json.member("at", time.description) }
    }
  }
}
