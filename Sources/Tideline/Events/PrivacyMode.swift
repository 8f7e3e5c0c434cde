package import EventStore

/// What may be done with a person's data.
///
/// A running `Sync` applies a change of the mode at once, whoever makes it: while an account is
/// ``restricted`` or ``forgotten``, nothing is pulled for it or sent. Actions performed meanwhile
/// are sent once everything is allowed again.
public enum PrivacyMode: Int64, Sendable, Codable {
  /// Everything.
  case unrestricted = 0
  /// No analytics: nobody is told which messages were received or opened.
  case doNotTrack = 1
  /// Nothing, until it is allowed again: rich messages are kept but not shown, and pushes are not
  /// even kept.
  case restricted = 2
  /// Nothing, and everything is erased.
  case forgotten = 3
}

extension PrivacyMode: EventCode {}

extension PrivacyMode: PropertyValue {
  /// Bounds for the accounts in a mode.
  package static func bounds(
    _ field: Field<PrivacyMode>, _ relation: Relation, _ value: PrivacyMode
  ) -> Bounds? { equals(field, relation, value) }
}
