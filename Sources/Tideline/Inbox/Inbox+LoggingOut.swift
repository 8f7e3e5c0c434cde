import EventStore

extension Inbox {
  /// What becomes of what the server has not done when somebody logs out.
  public enum Pending: Sendable, Hashable {
    /// It is abandoned.
    case drop
    /// It waits until the same person logs in again.
    case hold
    /// It may be sent for so long, and is abandoned then.
    case flush(within: Duration)
  }

  /// Logs the person out: nothing of theirs is shown from here on, nor sent unless it is to be
  /// flushed, and pushes that come are not theirs.
  ///
  /// Everything is there again when the same person logs in again.
  ///
  /// - Parameter pending: What becomes of what the server has not done: ``Pending/drop`` loses it.
  /// - Returns: What is abandoned by that at once: it can be shown, and wanted anew. What the app
  ///   performs meanwhile may not be among it.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`: they are logged in still, unless it is a
  ///   `failed` write.
  @discardableResult
  public func logOut(pending: Pending) async throws -> [OpenOperation] {
    let login = try login()
    let event = LoggedOut {
      $0.pending = pending.event
      $0.flushUntil = pending.until(store.now)
    }
    return try await store.leave {
      let open = pending == .drop ? try openOperations() : []
      try await store.append(event, login)
      return open
    }
  }

  /// Has the person be called by another name, with all that the device has of them; such as when
  /// somebody without a name gets one.
  ///
  /// From then on log in under that name, at each launch too: under the old one, or without one,
  /// ``InboxStore/logIn(_:at:policy:)`` gives a new account, with nothing in it.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`; its `log` with `tooLarge` where the name
  ///   has more than ``InboxStore/nameBytesMax`` bytes.
  public func changeIdentity(to person: String) async throws {
    try InboxStore.check(name: person)
    try await store.append(IdentityChanged { $0.person = person }, try login())
  }
}

extension Inbox.Pending {
  fileprivate var event: PendingIntents {
    switch self {
    case .drop: .drop
    case .hold: .hold
    case .flush: .flush
    }
  }

  fileprivate func until(_ now: Timestamp) -> Timestamp? {
    guard case .flush(let duration) = self else { return nil }
    return now.later(by: max(duration, .zero))
  }
}
