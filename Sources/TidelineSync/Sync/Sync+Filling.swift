import EventStore
import Tideline

extension Sync {
  /// A question with what only the log knows.
  func filled(_ id: QuestionID) -> Question { id.filled(by: inbox.wish) }
}

/// What requests need of the store's log.
extension Inbox {
  /// A request with what only the log knows.
  func filled(_ departure: Departure) throws(ServerFailure) -> ServerRequest {
    try departure.request.filled(by: wish(departure.intent), departure.label, text: content)
  }

  private func content(_ reference: TextReference) throws(ServerFailure) -> String? {
    do { return try text(reference) } catch {
      throw ServerFailure(.unreadable, message: "\(error)")
    }
  }

  fileprivate func wish(_ number: RecordNumber) -> (any InboxEvent)? {
    guard let record = try? store.core.log.record(number) else { return nil }
    return try? EventCatalog.event(of: record)
  }
}
