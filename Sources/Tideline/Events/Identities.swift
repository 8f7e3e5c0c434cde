package import EventStore

/// A person logged in: the account and its epoch are in the record's header.
package struct LoggedIn: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0601)

  /// Who it is: an address, an alias or a contact's key.
  package var person = ""
  /// Where the account is.
  package var server: String?
  /// The server's id of the account.
  package var namespace: String?
  /// How the server behaves, and what is wanted of this engine.
  package var policy = PolicySwitches()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "person", &person)
    try coder.code(2, "server", &server)
    try coder.code(3, "namespace", &namespace)
    // Number 4 is retired.
    try coder.code(5, "policy", &policy)
  }
}

/// What becomes of intents that are not done.
package enum PendingIntents: Int64, EventCode {
  /// They are given up.
  case drop = 1
  /// They wait for the same person.
  case hold = 2
  /// They are sent until a time, then given up.
  case flush = 3
}

/// A person logged out: nothing of theirs is shown or sent from here on.
package struct LoggedOut: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0602)

  /// What becomes of intents that are not done.
  package var pending = PendingIntents.drop
  /// Until when they are sent.
  package var flushUntil: Timestamp?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "pending", &pending)
    try coder.code(2, "flushUntil", &flushUntil)
    // Number 3 is retired.
  }
}

/// The person of a login has another name, and keeps what the device has.
package struct IdentityChanged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0603)

  /// The name.
  package var person = ""

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "person", &person)
  }
}

/// Switches were set; those that are not there are as they were.
package struct ConfigurationChanged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0604)

  /// How the server behaves, and what is wanted of this engine: all of it.
  package var policy: PolicySwitches?
  /// Whether there is an inbox: without one, nothing is shown and everything kept.
  package var isInboxEnabled: Bool?
  /// Whether to open an alert means to read its message.
  package var marksReadOnOpening: Bool?
  /// Whether the application sets its badge itself.
  package var ownsBadge: Bool?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "policy", &policy)
    try coder.code(2, "isInboxEnabled", &isInboxEnabled)
    try coder.code(3, "marksReadOnOpening", &marksReadOnOpening)
    try coder.code(4, "ownsBadge", &ownsBadge)
  }
}

/// What may be done with data changed.
package struct PrivacyChanged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0605)

  /// What may be done.
  package var mode = PrivacyMode.unrestricted

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "mode", &mode)
  }
}

/// The records of an account, or of one thing in it, lost their payloads.
package struct Erased: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0606)

  /// The thing, where it is not the whole account.
  package var name: ObjectName?
  /// How many payloads.
  package var count: Int64 = 0

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "name", &name)
    try coder.code(2, "count", &count)
  }
}
