package import EventStore

/// What the events of a batch share: the time of recording and the login.
package struct Circumstances: Sendable {
  /// The time of recording.
  package let now: Timestamp
  /// The login; without one, events have no entity.
  package let login: Login?
  /// Returns the fingerprint of an entity's name.
  private let fingerprint: @Sendable (String) -> Fingerprint

  /// Creates the circumstances of a login at a time, for a log that makes fingerprints of names.
  package init(
    now: Timestamp, login: Login?, fingerprint: @escaping @Sendable (String) -> Fingerprint
  ) {
    (self.now, self.login, self.fingerprint) = (now, login, fingerprint)
  }

  /// Returns the fingerprint of an event's only entity, by which everything known of the entity can
  /// be found and erased.
  func entity(of event: some InboxEvent) -> Fingerprint? {
    guard let login, let entity = event.entity else { return nil }
    return fingerprint(entity.text(in: login.account))
  }
}

extension Batch {
  /// Adds an event, with the fingerprint of its entity; returns its index in the batch.
  ///
  /// - Complexity: O(*n*) in the bytes of the payload.
  @discardableResult
  package mutating func add(
    _ event: some InboxEvent, in circumstances: Circumstances, cause: Event.Reference? = nil,
    exchange: Event.Reference? = nil
  ) -> Int {
    add(
      event, recordedAt: circumstances.now, login: circumstances.login, cause: cause,
      exchange: exchange, entity: circumstances.entity(of: event))
  }
}
