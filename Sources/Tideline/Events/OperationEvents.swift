package import EventStore

/// An operation is about to be sent; this record is durable before the first byte is sent.
///
/// Operations in one request are recorded together, with the same `request`.
package struct OperationStarted: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0501)

  /// The intent, or another record that is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?
  /// The number of the attempt, counted from 1.
  package var attempt: Int64 = 1
  /// The key by which the server recognizes the request, if not the intent's own.
  package var key: OperationKey?
  /// Whether sending the request twice does no harm.
  package var isRepeatable = false
  /// The request's body, if it can't be generated again from the log.
  package var body: EventBytes?
  /// The name by which the transport knows the request after the process has ended.
  package var task: String?
  /// A number shared by the operations of one request, if there are several; they are sent together
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

/// The server has performed an operation.
///
/// What the server reported about the object is a fact of the same exchange.
package struct OperationAcknowledged: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0502)

  /// The intent, or another record that is to be sent.
  package var intent: RecordNumber = 0
  /// The id of the operation's object, if the intent covers several.
  package var item: String?
  /// The object's version since the operation.
  package var version: Int64?
  /// The status of the response.
  package var status: Int64?
  /// Whether there was nothing to do because the object no longer exists.
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

/// The server gave an object the id that is valid from here on; both ids find the object.
package struct IDReplaced: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0507)

  /// The object's class.
  package var objectClass = ObjectClass.draft
  /// The previous id: one of this engine's, or an earlier one of the server's.
  package var old = ""
  /// The id that the server assigned.
  package var new = ""
  /// The intent that led to the new id.
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

/// Why deferred operations may be tried at once.
package enum BackoffResetReason: Int64, EventCode {
  /// The network is available again.
  case connected = 1
  /// The application came to the foreground.
  case foreground = 2
  /// The person logged in again.
  case authorized = 3
  /// The person asked for it.
  case requested = 4
}

/// Deferred operations may be tried at once, except those that the server postponed.
package struct BackoffReset: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0508)

  /// Why the operations may be tried at once.
  package var reason = BackoffResetReason.connected

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "reason", &reason)
  }
}
