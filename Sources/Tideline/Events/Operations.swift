package import EventStore

/// An operation is about to be sent: durable before its first byte is.
///
/// Operations that go in one request are recorded together, with the same key.
package struct OperationStarted: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0501)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// The how manieth attempt it is.
  package var attempt: Int64 = 1
  /// By what the server knows the request, where it is not the intent's own.
  package var key: OperationKey?
  /// Whether to send it twice does no harm.
  package var isRepeatable = false
  /// What is sent, where it can't be made again from the log.
  package var body: EventBytes?
  /// By what the transport knows it after the process has ended.
  package var task: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
    try coder.code(3, "attempt", &attempt)
    try coder.code(4, "key", &key)
    try coder.code(5, "isRepeatable", &isRepeatable)
    try coder.code(6, "body", &body)
    try coder.code(7, "task", &task)
  }
}

/// The server has done what an operation wanted.
///
/// What it said of the object is a fact of the same exchange.
package struct OperationAcknowledged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0502)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// The version that the object has since.
  package var version: Int64?
  /// The status of the answer.
  package var status: Int64?
  /// Whether there was nothing to do, as the object is no more.
  package var isGone = false

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "intent", &intent)
    try coder.code(2, "item", &item)
    try coder.code(3, "version", &version)
    try coder.code(4, "status", &status)
    try coder.code(5, "isGone", &isGone)
  }
}

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

/// The server gave a thing the id that counts from here on; both ids find it.
package struct IDReplaced: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0507)

  /// What it is.
  package var objectClass = ObjectClass.draft
  /// The id that it had: one of this engine's, or the server's own of before.
  package var old = ""
  /// The id that the server gave it.
  package var new = ""
  /// The intent that it came of.
  package var intent: RecordNumber?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "old", &old)
    try coder.code(3, "new", &new)
    try coder.code(4, "intent", &intent)
  }
}

/// Why what was deferred may be tried at once.
package enum BackoffResetReason: Int64, EventCode {
  /// There is a network again.
  case connected = 1
  /// The application came to the foreground.
  case foreground = 2
  /// The person logged in anew.
  case authorized = 3
  /// The person asked for it.
  case requested = 4
}

/// Operations that were deferred may be tried at once, but for those that the server put off.
package struct BackoffReset: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0508)

  /// Why.
  package var reason = BackoffResetReason.connected

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "reason", &reason)
  }
}
