package import EventStore

/// A new place from which to request changes, recorded with the response's content or not at all.
package struct CursorSet: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0203)

  /// The server's stream that the place is in.
  package var stream = ""
  /// The place, in the server's words.
  package var cursor = ""
  /// Whether nothing came after the place.
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

/// Why a cursor is no longer used.
package enum CursorResetReason: Int64, EventCode {
  /// The server doesn't know the cursor.
  case refused = 1
  /// The application requested everything anew.
  case requested = 2
  /// Another person is logged in.
  case identity = 3
  /// The content for which the cursor stood has changed.
  case replaced = 4
}

/// The place in a stream was lost; a new cursor is requested, then all objects, then changes.
package struct CursorReset: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0204)

  /// The server's stream that the place was in.
  package var stream = ""
  /// Why the place was lost.
  package var reason = CursorResetReason.refused
  /// The discarded place, recorded so that it is not used twice.
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

/// What triggered a refresh; only manual refreshes are throttled.
package enum RefreshTrigger: Int64, EventCode {
  /// The person or the application requested it.
  case manual = 1
  /// The application came to the foreground.
  case foreground = 2
  /// A push announced news.
  case push = 3
  /// A refresh was due.
  case timer = 4
}

/// A refresh was accepted and began.
package struct RefreshBegan: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0205)

  /// What triggered the refresh.
  package var trigger = RefreshTrigger.manual
  /// The requested classes; if empty, all of them.
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
  /// All requests were answered, and the responses were accepted.
  case succeeded = 1
  /// Some requests or responses failed.
  case failed = 2
  /// The refresh was no longer wanted.
  case cancelled = 3
}

/// A refresh ended; its results were recorded before, and its cause is the record with which it
/// began.
package struct RefreshEnded: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0206)

  /// How the refresh ended.
  package var outcome = RefreshOutcome.succeeded
  /// The status of the response with which the refresh failed.
  package var status: Int64?
  /// What went wrong, according to the server or the network.
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

/// A refresh did not begin because the previous one was too recent.
package struct RefreshThrottled: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0207)

  /// What would have triggered the refresh.
  package var trigger = RefreshTrigger.manual
  /// How long until a refresh is allowed, in milliseconds.
  package var retryAfter: Int64 = 0

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "trigger", &trigger)
    try coder.code(2, "retryAfter", &retryAfter)
  }
}
