package import EventStore

extension Event {
  /// Creates the header of an event's record.
  ///
  /// - Parameter entity: The fingerprint of ``InboxEvent/entity``, under its name in the account; a
  ///   spool is given that name instead.
  package init(
    _ event: some InboxEvent, recordedAt: Timestamp, login: Login? = nil,
    cause: Reference? = nil, exchange: Reference? = nil, entity: Fingerprint? = nil
  ) {
    self.init(
      kind: event.kind, version: event.version, origin: event.origin, recordedAt: recordedAt,
      login: login, cause: cause, exchange: exchange, entity: entity)
  }
}

extension Batch {
  /// Adds an event; returns its index in the batch.
  ///
  /// - Complexity: O(*n*) in the bytes of the payload.
  @discardableResult
  package mutating func add(
    _ event: some InboxEvent, recordedAt: Timestamp, login: Login? = nil,
    cause: Event.Reference? = nil, exchange: Event.Reference? = nil, entity: Fingerprint? = nil
  ) -> Int {
    let header = Event(
      event, recordedAt: recordedAt, login: login, cause: cause, exchange: exchange,
      entity: entity)
    return add(header) { event.encode(into: &$0) }
  }
}
