import Tideline

extension OperationEvent {
  /// Has it be about an operation.
  mutating func name(_ entry: OutboxEntry) {
    (intent, item) = (entry.name.intent, entry.name.item)
  }
}
