package import EventStore

/// Changes are asked for from here on: recorded with what the answer brought, or not at all.
package struct CursorSet: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0203)

  /// Which of the server's streams it is a place in.
  package var stream = ""
  /// The place, in the server's words.
  package var cursor = ""
  /// Whether there was nothing behind it.
  package var isAtEnd = false

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "stream", &stream)
    try coder.code(2, "cursor", &cursor)
    try coder.code(3, "isAtEnd", &isAtEnd)
  }
}

/// Why a cursor is not used any more.
package enum CursorResetReason: Int64, EventCode {
  /// The server does not know it.
  case refused = 1
  /// The application wants everything anew.
  case requested = 2
  /// Another person is logged in.
  case identity = 3
  /// What is there is not any more what it stood for.
  case replaced = 4
}

/// The place in a stream was lost: a new one is taken, then all objects, then what changed.
package struct CursorReset: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0204)

  /// Which of the server's streams it was a place in.
  package var stream = ""
  /// Why.
  package var reason = CursorResetReason.refused
  /// The place that is not used any more, so that it is not taken twice.
  package var cursor: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "stream", &stream)
    try coder.code(2, "reason", &reason)
    try coder.code(3, "cursor", &cursor)
  }
}

/// What led to a refresh; only those by hand are throttled.
package enum RefreshTrigger: Int64, EventCode {
  /// The person or the application asked for it.
  case manual = 1
  /// The application came to the foreground.
  case foreground = 2
  /// A push said that there is something.
  case push = 3
  /// It was time.
  case timer = 4
}

/// A refresh was accepted and began.
package struct RefreshBegan: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0205)

  /// What led to it.
  package var trigger = RefreshTrigger.manual
  /// What is asked for, or all of it if that is nothing.
  package var classes: [ObjectClass] = []

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "trigger", &trigger)
    try coder.code(2, "classes", &classes)
  }
}

/// How a refresh ended.
package enum RefreshOutcome: Int64, EventCode {
  /// All of it was answered and taken in.
  case succeeded = 1
  /// Some of it was not.
  case failed = 2
  /// Nobody wanted it any more.
  case cancelled = 3
}

/// A refresh ended; what it brought was recorded before, and its cause is the record it began with.
package struct RefreshEnded: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0206)

  /// How it ended.
  package var outcome = RefreshOutcome.succeeded
  /// The status of the answer that it failed with.
  package var status: Int64?
  /// What the server or the network said that went wrong.
  package var error: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "outcome", &outcome)
    try coder.code(2, "status", &status)
    try coder.code(3, "error", &error)
  }
}

/// A refresh was not begun, as it is too early after the last one.
package struct RefreshThrottled: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0207)

  /// What would have led to it.
  package var trigger = RefreshTrigger.manual
  /// How long it is too early yet, in milliseconds.
  package var retryAfter: Int64 = 0

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "trigger", &trigger)
    try coder.code(2, "retryAfter", &retryAfter)
  }
}
