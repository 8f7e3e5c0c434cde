/// When an append has done its work.
public enum Durability: Hashable, Sendable {
  /// Once the records are on the medium, whatever happens to the power. For intents, pushes and
  /// identity: what nobody could tell the log again.
  case full
  /// Once the records can be read; they are on the medium with the next flush, at most
  /// ``Log/Options/relaxedDelay`` later. For facts that the server will send again, because the
  /// cursor that says they were seen is among them.
  case relaxed
}
