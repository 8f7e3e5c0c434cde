package import EventStore

/// An intent that has not begun must not begin before a given time.
package struct Hold: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x040A)
  package static let origin = Event.Origin.intent

  /// The intent.
  package var intent: RecordNumber = 0
  /// The earliest time at which the intent may begin; if absent, it may begin now.
  package var until: Timestamp?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "until", &until)
  }
}

/// Intents are withdrawn, as far as they have not begun.
package struct Withdraw: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x040B)
  package static let origin = Event.Origin.intent

  /// The intents.
  package var intents: [RecordNumber] = []

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intents", &intents)
  }
}

/// An operation that was uncertain or abandoned is to be tried again, with the same key.
package struct Retry: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x040C)
  package static let origin = Event.Origin.intent

  /// The intent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
  }
}
