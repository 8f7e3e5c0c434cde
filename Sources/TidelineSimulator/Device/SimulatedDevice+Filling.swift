package import EventStore
import Tideline
import TidelineSync

/// The parts of requests that come from the log.
extension SimulatedDevice {
  /// Returns a question completed from the log.
  func filled(_ id: QuestionID) throws(ServerFailure) -> Question {
    try id.filled { store.event($0) }
  }

  /// Returns a request completed from the log.
  func filled(_ departure: Departure) throws(ServerFailure) -> ServerRequest {
    try departure.request.filled(by: store.event(departure.intent), departure.label) { text($0) }
  }

  /// Returns the text of a reference.
  package func text(_ reference: TextReference) -> String? {
    guard let field = ObjectField(rawValue: Int(reference.field)) else { return nil }
    return switch store.event(reference.record) {
    case let fact as ObjectFact: fact.fields.text(field)
    case let intent as SaveDraft: intent.draft.text(field)
    case let kept as StateKept: kept.texts.text(field)
    default: nil
    }
  }
}
