package import EventStore

/// An operation is about to be sent: durable before its first byte is.
///
/// Operations that go in one request are recorded together, with the same `request`.
package struct OperationStarted: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0501)

  /// The intent, or whatever record is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the one thing it is about, where the intent is about several.
  package var item: String?
  /// Which attempt it is, counted from 1.
  package var attempt: Int64 = 1
  /// By what the server knows the request, where it is not the intent's own.
  package var key: OperationKey?
  /// Whether to send it twice does no harm.
  package var isRepeatable = false
  /// What is sent, where it can't be made again from the log.
  package var body: EventBytes?
  /// By what the transport knows it after the process has ended.
  package var task: String?
  /// What it has in common with the others in its request, if there are any: they go together
  /// again.
  package var request: Int64?

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
    try coder.code(8, "request", &request)
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
