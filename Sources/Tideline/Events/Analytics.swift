package import EventStore

/// The person looked at a message; that does not make it read.
package struct MessageOpened: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0801)

  /// What it is.
  package var objectClass = ObjectClass.rich
  /// Its id.
  package var id = ""
  /// Which sending of it.
  package var requestID: String?
  /// By what the server knows the report if it gets it twice.
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

/// A message was received whole, for the first time.
package struct MessageDownloaded: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0802)

  /// What it is.
  package var objectClass = ObjectClass.rich
  /// Its id.
  package var id = ""
  /// Which sending of it.
  package var requestID: String?
  /// By what the server knows the report if it gets it twice.
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
