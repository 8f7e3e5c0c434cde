package import EventStore
import Tideline
import TidelineSync

/// What requests need of the log.
extension SimulatedDevice {
  /// A question with what only the log knows.
  func filled(_ id: QuestionID) -> Question { id.filled { store.event($0) } }

  /// A request with what only the log knows.
  func filled(_ departure: Departure) throws(ServerFailure) -> ServerRequest {
    try departure.request.filled(by: store.event(departure.intent), departure.label) { text($0) }
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
