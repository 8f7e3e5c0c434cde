package import EventStore

/// What the events of a batch have in common: when they are recorded, and under which login.
package struct Circumstances: Sendable {
  /// When it is.
  package let now: Timestamp
  /// Under which login; without one an event is about nothing by name.
  package let login: Login?
  /// By what a record names what it is about.
  private let fingerprint: @Sendable (String) -> Fingerprint

  /// Those of a login at a time, for a log that makes fingerprints of names.
  package init(
    now: Timestamp, login: Login?, fingerprint: @escaping @Sendable (String) -> Fingerprint
  ) {
    (self.now, self.login, self.fingerprint) = (now, login, fingerprint)
  }

  /// By what an event's record names the one thing that it is about, so that what is known of that
  /// can be found, and erased.
  func entity(of event: some InboxEvent) -> Fingerprint? {
    guard let login, let entity = event.entity else { return nil }
    return fingerprint(entity.text(in: login.account))
  }
}

extension Batch {
  /// Adds an event, with the name of what it is about; returns its index in the batch.
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
