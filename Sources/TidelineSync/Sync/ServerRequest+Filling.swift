package import EventStore
package import Tideline

/// Data that only the log has: keys, texts and the ids that messages are sent with.
extension ServerRequest {
  /// Adds the data that only the log has.
  ///
  /// - Parameters:
  ///   - wish: The intent or report that the key is derived from.
  ///   - label: Distinguishes the request from others of the same intent.
  ///   - text: Loads the text that a draft refers to.
  /// - Throws: `ServerFailure`, also if no event with a key was read: under another key, the server
  ///   would take the request for a new one.
  package func filled(
    by wish: (any InboxEvent)?, _ label: String,
    text: (TextReference) throws(ServerFailure) -> String?
  ) throws(ServerFailure) -> ServerRequest {
    guard let wish, let key = wish.requestKey else { throw .unreadableWish }
    var request = self
    request.key = key.of(label)
    for place in parts.indices {
      switch parts[place].wanted {
      case .sending:
        request.parts[place].wanted = .sending(messageID: (wish as? SendDraft)?.messageID)
      case .draft(let draft, _):
        if let body = draft.body { request.parts[place].text = try text(body) }
      default: break
      }
    }
    return request
  }
}

extension QuestionID {
  /// Adds the data that only the log has.
  ///
  /// - Parameter wish: Returns the event of a record number, if it can be read.
  /// - Throws: `ServerFailure` if it can't: without the id of a message, the server would not find
  ///   it.
  package func filled(
    by wish: (RecordNumber) -> (any InboxEvent)?
  ) throws(ServerFailure) -> Question {
    guard case .sent(let number, _) = purpose, case .sent(_, let id) = question else {
      return question
    }
    guard let wish = wish(number) else { throw .unreadableWish }
    return .sent(messageID: (wish as? SendDraft)?.messageID ?? "", id: id)
  }
}

extension ServerFailure {
  /// The failure to read the record of what is wanted.
  fileprivate static var unreadableWish: ServerFailure {
    ServerFailure(.unreadable, message: "the record of what is wanted can't be read")
  }
}

extension InboxEvent {
  /// The key by which the server recognizes requests from this event, if it leads to any.
  fileprivate var requestKey: OperationKey? {
    switch self {
    case let intent as any Intent: intent.terms.key
    case let opened as MessageOpened: opened.key
    case let received as MessageDownloaded: received.key
    default: nil
    }
  }
}

extension OperationKey {
  /// Returns the key of a request with a label.
  fileprivate func of(_ label: String) -> OperationKey {
    OperationKey(low: low, high: high ^ label.mark)
  }
}

extension String {
  /// A hash of a request's label.
  var mark: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
