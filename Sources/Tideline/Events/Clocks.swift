package import EventStore

/// Why the time is told.
package enum ClockReason: Int64, EventCode {
  /// It is the time of the earliest timer.
  case due = 1
  /// The store was opened.
  case opened = 2
  /// The application came to the foreground.
  case foreground = 3
  /// The clock was set.
  case set = 4
}

/// It is the time that this was recorded at: what is due by then happens here.
package struct ClockTicked: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0701)

  /// Why it is told.
  package var reason = ClockReason.due
  /// By how many milliseconds the clock was set, forward or back.
  package var jump: Int64?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "reason", &reason)
    try coder.code(2, "jump", &jump)
  }
}
