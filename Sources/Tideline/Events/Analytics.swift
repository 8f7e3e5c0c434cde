package import EventStore

/// The person looked at a message, which doesn't mark it as read.
package struct MessageOpened: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0801)

  /// The message's class.
  package var objectClass = ObjectClass.rich
  /// The message's id.
  package var id = ""
  /// Which sending of the message it was.
  package var requestID: String?
  /// The key by which the server recognizes a repeated report.
  package var key = OperationKey()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "id", &id)
    try coder.code(3, "requestID", &requestID)
    try coder.code(4, "key", &key)
  }
}

/// A message was received in full for the first time.
package struct MessageDownloaded: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0802)

  /// The message's class.
  package var objectClass = ObjectClass.rich
  /// The message's id.
  package var id = ""
  /// Which sending of the message it was.
  package var requestID: String?
  /// The key by which the server recognizes a repeated report.
  package var key = OperationKey()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "id", &id)
    try coder.code(3, "requestID", &requestID)
    try coder.code(4, "key", &key)
  }
}
