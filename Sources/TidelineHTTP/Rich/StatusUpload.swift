package import EventStore
package import Tideline

/// What a device has to tell a server of rich messages, several at once; see
/// <doc:RichInboxProtocol>.
package struct StatusUpload: Sendable, Hashable {
  /// What has become of a message.
  package enum State: String, Sendable, CaseIterable {
    /// It is read.
    case read
    /// It is unread again.
    case unread
    /// It is deleted, for ever.
    case deleted
    /// It was looked at.
    case opened
    /// It was received whole, for the first time.
    case received
  }

  /// What has become of one message.
  package struct Item: Sendable, Hashable {
    /// The message's id.
    package let id: String
    /// What has become of it.
    package let state: State
    /// Which sending of it, where that is known.
    package let requestID: String?
    /// When, by the device's clock, where that is known.
    package let time: Timestamp?

    /// What has become of a message.
    package init(
      _ id: String, _ state: State, requestID: String? = nil, at time: Timestamp? = nil
    ) {
      self.id = id
      self.state = state
      self.requestID = requestID
      self.time = time
    }
  }

  /// How many messages may be told of at once.
  package static let itemsMax = 1_000

  /// What has become of messages: of each state each message once.
  package let items: [Item]
  /// By what the server knows the request if it gets it twice.
  package let key: OperationKey

  /// What is told together; at most ``itemsMax``, or it is a mistake of the program.
  package init(_ items: [Item], key: OperationKey) {
    precondition(items.count <= Self.itemsMax, "more than \(Self.itemsMax) items in an upload")
    self.items = items
    self.key = key
  }

  /// The request, to a path of the server's.
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
