package import EventStore
import Tideline

/// What requests need of the log: keys, texts and the ids that messages are sent with.
extension SimulatedDevice {
  /// A question with what only the log knows.
  func filled(_ id: QuestionID) -> Question {
    guard case .sent(let intent, _) = id.purpose else { return id.question }
    return .sent(messageID: (store.event(intent) as? SendDraft)?.messageID ?? "")
  }

  /// A request with what only the log knows.
  func filled(_ request: ServerRequest, of number: RecordNumber, _ label: String) -> ServerRequest {
    var request = request
    let intent = store.event(number) as? any Intent
    request.key = intent?.terms.key.of(label) ?? OperationKey()
    for place in request.parts.indices {
      switch request.parts[place].wanted {
      case .sending:
        request.parts[place].wanted = .sending(messageID: (intent as? SendDraft)?.messageID)
      case .draft(let draft, _): request.parts[place].text = draft.body.flatMap(text)
      default: break
      }
    }
    return request
  }

  /// The text that is referred to.
  package func text(_ reference: TextReference) -> String? {
    guard let field = ObjectField(rawValue: Int(reference.field)) else { return nil }
    return switch store.event(reference.record) {
    case let fact as ObjectFact: fact.fields.text(field)
    case let intent as SaveDraft: intent.draft.text(field)
    default: nil
    }
  }
}
