import EventStore
import Tideline

/// What became of an operation.
protocol OperationEvent {
  /// The intent, or whatever record is to be sent.
  var intent: RecordNumber { get set }
  /// The id of the one thing it is about, where the intent is about several.
  var item: String? { get set }
}

extension OperationStarted: OperationEvent {}
extension OperationAcknowledged: OperationEvent {}
extension OperationDeferred: OperationEvent {}
extension OperationRejected: OperationEvent {}
extension OperationUncertain: OperationEvent {}
extension OperationAbandoned: OperationEvent {}

extension OperationEvent {
  /// Has it be about an operation.
  mutating func name(_ entry: OutboxEntry) {
    (intent, item) = (entry.name.intent, entry.name.item)
  }
}
