import EventStore
import Tideline

/// What questions and requests need from the log.
extension Inbox {
  /// Adds the data that only the log has.
  func filled(_ id: QuestionID) throws(ServerFailure) -> Question { try id.filled(by: wish) }

  /// Adds the data that only the log has.
  func filled(_ departure: Departure) throws(ServerFailure) -> ServerRequest {
    try departure.request.filled(by: wish(departure.intent), departure.label, text: content)
  }

  private func content(_ reference: TextReference) throws(ServerFailure) -> String? {
    do { return try text(reference) } catch {
      throw ServerFailure(.unreadable, message: "\(error)")
    }
  }

  private func wish(_ number: RecordNumber) -> (any InboxEvent)? {
    guard let record = try? store.core.log.record(number) else { return nil }
    return try? EventCatalog.event(of: record)
  }
}
