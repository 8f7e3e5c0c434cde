package import EventStore

/// Why an operation is tried again later.
package enum DeferralReason: Int64, EventCode {
  /// The server could not be reached.
  case unreachable = 1
  /// The answer took too long.
  case timeout = 2
  /// The server wants to be left alone.
  case throttled = 3
  /// The server failed.
  case server = 4
  /// The person has to log in anew.
  case authorization = 5
  /// The object is newer than it was thought to be.
  case conflict = 6
  /// Another operation has to be done first.
  case dependency = 7
  /// It is certain that nothing was sent.
  case notSent = 8
}

/// An operation was not done, and is to be tried again.
package struct OperationDeferred: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0503)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// Why.
  package var reason = DeferralReason.unreachable
  /// The status of the answer.
  package var status: Int64?
  /// What the server or the network said that went wrong.
  package var error: String?
  /// The time before which it is not tried; where it is not there, until something happens.
  package var until: Timestamp?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
    try coder.code(3, "reason", &reason)
    try coder.code(4, "status", &status)
    try coder.code(5, "error", &error)
    try coder.code(6, "until", &until)
  }
}

/// Why an operation is not tried again.
package enum RejectionReason: Int64, EventCode {
  /// The server can't make sense of it.
  case invalid = 1
  /// The person may not do it.
  case forbidden = 2
  /// The object is another than it was thought to be.
  case conflict = 3
  /// The server will never do it.
  case refused = 4
  /// The server can't do it.
  case unsupported = 5
  /// Another operation was rejected that had to be done first.
  case dependency = 6
  /// Something else was done in between.
  case tooLate = 7
  /// It is too large.
  case tooLarge = 8
}

/// An operation was not done and will not be: what it wanted is not shown any more.
package struct OperationRejected: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0504)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// Why.
  package var reason = RejectionReason.refused
  /// The status of the answer.
  package var status: Int64?
  /// What the server or the network said that went wrong.
  package var error: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
    try coder.code(3, "reason", &reason)
    try coder.code(4, "status", &status)
    try coder.code(5, "error", &error)
  }
}

/// Why it is not known whether an operation was done.
package enum UncertaintyReason: Int64, EventCode {
  /// The answer did not arrive.
  case lostAnswer = 1
  /// The process ended in between.
  case ended = 2
  /// The answer says nothing of it.
  case notInAnswer = 3
  /// The server failed in the middle of it.
  case server = 4
}

/// It is not known whether an operation was done: it is looked for before it is sent again.
package struct OperationUncertain: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0505)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// Why.
  package var reason = UncertaintyReason.lostAnswer
  /// The status of the answer.
  package var status: Int64?
  /// What the server or the network said that went wrong.
  package var error: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
    try coder.code(3, "reason", &reason)
    try coder.code(4, "status", &status)
    try coder.code(5, "error", &error)
  }
}

/// Why an operation is given up.
package enum AbandonmentReason: Int64, EventCode {
  /// The person logged out.
  case loggedOut = 1
  /// It was tried for too long.
  case expired = 2
  /// Another intent wants the opposite, so there is nothing to send.
  case superseded = 3
  /// The thing that it is about is no more.
  case removed = 4
  /// The inbox was switched off.
  case inboxDisabled = 5
  /// The person decided so.
  case decided = 6
}

/// An operation is given up: what it wanted is not shown any more.
package struct OperationAbandoned: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0506)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// Why.
  package var reason = AbandonmentReason.loggedOut

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
    try coder.code(3, "reason", &reason)
  }
}
