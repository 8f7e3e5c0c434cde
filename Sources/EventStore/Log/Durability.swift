/// The point at which an append is complete.
public enum Durability: Hashable, Sendable {
  /// Once the records are flushed, so that they survive a loss of power. For intents, pushes and
  /// identity: what nobody could tell the log again.
  case full
  /// Once the records can be read; they become durable with the next flush, at most
  /// ``Log/Options/relaxedDelay`` later. For facts that the server will send again, because the
  /// cursor that says they were seen is among them.
  case relaxed
}
