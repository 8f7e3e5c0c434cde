package import EventStore

/// What may be done with a person's data.
///
/// A running `Sync` takes it in at once, whoever sets it: while an account is ``restricted`` or
/// ``forgotten`` nothing is pulled for it and nothing of it is sent. What was wanted meanwhile goes
/// when everything is allowed again.
public enum PrivacyMode: Int64, Sendable, Codable {
  /// Everything.
  case unrestricted = 0
  /// No analytics: nobody is told what was received or opened.
  case doNotTrack = 1
  /// Nothing, until it is allowed again: rich messages are kept and not shown, pushes are not even
  /// kept.
  case restricted = 2
  /// Nothing, and everything is erased.
  case forgotten = 3
}

extension PrivacyMode: EventCode {}

extension PrivacyMode: PropertyValue {
  /// Accounts in this mode.
  package static func bounds(
    _ field: Field<PrivacyMode>, _ relation: Relation, _ value: PrivacyMode
  ) -> Bounds? { equals(field, relation, value) }
}
