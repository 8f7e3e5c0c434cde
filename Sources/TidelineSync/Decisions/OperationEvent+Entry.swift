import Tideline

extension OperationEvent {
  /// Sets the operation that the event is about.
  mutating func name(_ entry: OutboxEntry) {
    (intent, item) = (entry.name.intent, entry.name.item)
  }
}
