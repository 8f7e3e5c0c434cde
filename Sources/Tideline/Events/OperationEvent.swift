package import EventStore

/// An event in the course of an operation.
package protocol OperationEvent: FieldedEvent {
  /// The intent, or another record that is to be sent.
  var intent: RecordNumber { get set }
  /// The id of the operation's object, if the intent covers several.
  var item: String? { get set }
}

extension OperationStarted: OperationEvent {}
extension OperationAcknowledged: OperationEvent {}
extension OperationDeferred: OperationEvent {}
extension OperationRejected: OperationEvent {}
extension OperationUncertain: OperationEvent {}
extension OperationAbandoned: OperationEvent {}
extension Retry: OperationEvent {}
