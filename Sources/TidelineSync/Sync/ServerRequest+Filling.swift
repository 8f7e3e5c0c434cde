package import EventStore
package import Tideline

/// What only the log knows: keys, texts and the ids that messages are sent with.
extension ServerRequest {
  /// The request, with what only the log knows.
  ///
  /// - Parameters:
  ///   - wish: The intent, or the report, that its key is made of.
  ///   - label: What tells it from others of that.
  ///   - text: The text that a draft refers to.
  package func filled(
    by wish: (any InboxEvent)?, _ label: String,
    text: (TextReference) throws(ServerFailure) -> String?
  ) throws(ServerFailure) -> ServerRequest {
    var request = self
    request.key = wish?.requestKey?.of(label) ?? OperationKey()
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
  /// What is asked, with what only the log knows.
  ///
  /// - Parameter wish: The event of a number.
  package func filled(by wish: (RecordNumber) -> (any InboxEvent)?) -> Question {
    guard case .sent(let number, _) = purpose, case .sent(_, let id) = question else {
      return question
    }
    return .sent(messageID: (wish(number) as? SendDraft)?.messageID ?? "", id: id)
  }
}

extension InboxEvent {
  /// By what the server knows what this leads to, if it leads to anything.
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
  /// The key of a request with a label.
  fileprivate func of(_ label: String) -> OperationKey {
    OperationKey(low: low, high: high ^ label.mark)
  }
}

extension String {
  /// What tells a request's label from others.
  var mark: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
