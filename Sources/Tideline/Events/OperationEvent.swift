package import EventStore

/// An event in the course of an operation.
package protocol OperationEvent: FieldedEvent {
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
extension Retry: OperationEvent {}
