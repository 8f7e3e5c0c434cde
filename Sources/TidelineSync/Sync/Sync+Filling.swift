import EventStore
import Tideline

/// What requests need of the store's log.
extension Sync {
  /// A question with what only the log knows.
  func filled(_ id: QuestionID) -> Question { id.filled(by: wish) }

  /// A request with what only the log knows.
  func filled(_ departure: Departure) throws(ServerFailure) -> ServerRequest {
    try departure.request.filled(by: wish(departure.intent), departure.label, text: text)
  }

  private func text(_ reference: TextReference) throws(ServerFailure) -> String? {
    do { return try inbox.text(reference) } catch {
      throw ServerFailure(.unreadable, message: "\(error)")
    }
  }

  private func wish(_ number: RecordNumber) -> (any InboxEvent)? {
    let record = try? inbox.store.core.log.read { snapshot in try snapshot.record(number) }
    guard let record = record ?? nil else { return nil }
    return try? EventCatalog.event(of: record)
  }
}
