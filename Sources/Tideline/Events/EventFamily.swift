package import EventStore

/// The families of events: the high byte of a kind.
package enum EventFamily: UInt16, Sendable {
  /// Facts about objects.
  case object = 1
  /// Exchanges with servers, and refreshes.
  case exchange = 2
  /// Pushes.
  case push = 3
  /// Intents.
  case intent = 4
  /// The outcomes of intents.
  case outcome = 5
  /// Logins, configuration and privacy.
  case identity = 6
  /// The clock.
  case clock = 7
  /// What a person did with messages, which senders may learn.
  case analytics = 8
  /// State kept from records that were compacted away.
  case keeping = 9
}

extension EventKind {
  /// The family of the kind, or `nil` for an unknown family.
  package var family: EventFamily? { EventFamily(rawValue: rawValue >> 8) }
}
