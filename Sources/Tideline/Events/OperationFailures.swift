package import EventStore

/// Why an operation is to be tried again later.
package enum DeferralReason: Int64, EventCode {
  /// The server could not be reached.
  case unreachable = 1
  /// The response took too long.
  case timeout = 2
  /// The server asked to be contacted later.
  case throttled = 3
  /// The server failed.
  case server = 4
  /// The person has to log in again.
  case authorization = 5
  /// The object is newer than expected.
  case conflict = 6
  /// Another operation has to be performed first.
  case dependency = 7
  /// The request was certainly not sent.
  case notSent = 8
}

/// An operation was not performed, and is to be tried again.
package struct OperationDeferred: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0503)

  /// The intent, or another record that is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?
  /// Why the operation was deferred.
  package var reason = DeferralReason.unreachable
  /// The status of the response.
  package var status: Int64?
  /// What went wrong, according to the server or the network.
  package var error: String?
  /// The earliest time of the next attempt; if absent, the operation waits until something happens.
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
  /// The server can't interpret the request.
  case invalid = 1
  /// The person lacks the permission.
  case forbidden = 2
  /// The object is not as expected.
  case conflict = 3
  /// The server will never perform the operation.
  case refused = 4
  /// The server doesn't support the operation.
  case unsupported = 5
  /// An operation that had to be performed first was rejected.
  case dependency = 6
  /// Something else was done in the meantime.
  case tooLate = 7
  /// The request or its content is too large.
  case tooLarge = 8
}

/// An operation was not performed and will not be; its effect is no longer shown.
package struct OperationRejected: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0504)

  /// The intent, or another record that is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?
  /// Why the operation was rejected.
  package var reason = RejectionReason.refused
  /// The status of the response.
  package var status: Int64?
  /// What went wrong, according to the server or the network.
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

/// Why it is unknown whether an operation was performed.
package enum UncertaintyReason: Int64, EventCode {
  /// The response did not arrive.
  case lostAnswer = 1
  /// The process ended while the request was under way.
  case ended = 2
  /// The response doesn't mention the operation.
  case notInAnswer = 3
  /// The server failed while performing the operation.
  case server = 4
}

/// It is unknown whether an operation was performed; that is checked before it is sent again.
package struct OperationUncertain: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0505)

  /// The intent, or another record that is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?
  /// Why the outcome is unknown.
  package var reason = UncertaintyReason.lostAnswer
  /// The status of the response.
  package var status: Int64?
  /// What went wrong, according to the server or the network.
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

/// Why an operation is abandoned.
package enum AbandonmentReason: Int64, EventCode {
  /// The person logged out.
  case loggedOut = 1
  /// The operation was tried for too long.
  case expired = 2
  /// Another intent has the opposite effect, so there is nothing to send.
  case superseded = 3
  /// The operation's object no longer exists.
  case removed = 4
  /// The inbox was disabled.
  case inboxDisabled = 5
  /// The person decided to abandon it.
  case decided = 6
}

/// An operation is abandoned; its effect is no longer shown.
package struct OperationAbandoned: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0506)

  /// The intent, or another record that is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?
  /// Why the operation was abandoned.
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
