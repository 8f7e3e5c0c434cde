package import EventStore

/// A person logged in; the account and its epoch are in the record's header.
package struct LoggedIn: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0601)

  /// The person: an address, an alias or a contact's key.
  package var person = ""
  /// The app's name for the account's server.
  package var server: String?
  /// The server's id for the account.
  package var namespace: String?
  /// How the server behaves, and how this engine should behave.
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

/// What happens to unfinished intents.
package enum PendingIntents: Int64, EventCode {
  /// They are abandoned.
  case drop = 1
  /// They wait until the same person logs in again.
  case hold = 2
  /// They are sent until a given time, then abandoned.
  case flush = 3
}

/// A person logged out; their data is no longer shown, and only a flush still sends their intents.
package struct LoggedOut: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0602)

  /// What happens to unfinished intents.
  package var pending = PendingIntents.drop
  /// Until when unfinished intents are sent.
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

/// The logged-in person has a new name, and keeps the data on the device.
package struct IdentityChanged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0603)

  /// The new name.
  package var person = ""

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "person", &person)
  }
}

/// Switches were set; absent ones keep their values.
package struct ConfigurationChanged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0604)

  /// The complete policy: how the server behaves, and how this engine should behave.
  package var policy: PolicySwitches?
  /// Whether the inbox is enabled; a disabled inbox shows nothing and keeps everything.
  package var isInboxEnabled: Bool?
  /// Whether opening an alert marks its message as read.
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

/// The rules for what may be done with data changed.
package struct PrivacyChanged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0605)

  /// What may be done with data.
  package var mode = PrivacyMode.unrestricted

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "mode", &mode)
  }
}

/// The records of an account, or of one object in it, lost their payloads.
package struct Erased: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0606)

  /// The object, unless the whole account was erased.
  package var name: ObjectName?
  /// The number of erased payloads.
  package var count: Int64 = 0

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "name", &name)
    try coder.code(2, "count", &count)
  }
}
