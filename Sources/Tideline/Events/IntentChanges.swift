package import EventStore

/// An intent that was not begun is not to be begun before a time.
package struct Hold: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x040A)
  package static let origin = Event.Origin.intent

  /// The intent.
  package var intent: RecordNumber = 0
  /// The time; where it is not there, it may begin now.
  package var until: Timestamp?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "until", &until)
  }
}

/// Intents are not wanted any more, as far as they were not begun.
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

/// An operation that was uncertain or given up is to be tried again, with the same key.
package struct Retry: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x040C)
  package static let origin = Event.Origin.intent

  /// The intent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
  }
}
