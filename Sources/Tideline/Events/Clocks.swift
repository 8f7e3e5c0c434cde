package import EventStore

/// Why the clock ticked.
package enum ClockReason: Int64, EventCode {
  /// The earliest timer is due.
  case due = 1
  /// The store was opened.
  case opened = 2
  /// The application came to the foreground.
  case foreground = 3
  /// The clock was set.
  case set = 4
}

/// The clock reached the time of this record; everything due by then happens here.
package struct ClockTicked: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0701)

  /// Why the clock ticked.
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
