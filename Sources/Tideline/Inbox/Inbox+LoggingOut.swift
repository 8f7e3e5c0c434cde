import EventStore

extension Inbox {
  /// What happens on logout to operations that the server has not done.
  public enum Pending: Sendable, Hashable {
    /// They are abandoned.
    case drop
    /// They wait until the same person logs in again.
    case hold
    /// They may be sent for this long, and are then abandoned.
    ///
    /// A `Sync` sends them as long as it goes on; its `caughtUp(with:)` waits for that.
    case flush(within: Duration)
  }

  /// Logs the person out: nothing of theirs is shown any more, or sent unless it is to be flushed,
  /// and incoming pushes don't concern them.
  ///
  /// When the same person logs in again, everything that ``Pending/drop`` didn't abandon is back.
  ///
  /// - Parameter pending: What happens to operations that the server has not done; ``Pending/drop``
  ///   loses them.
  /// - Returns: The operations that this abandons at once, to tell the person what is lost. The
  ///   text of a draft that the server doesn't have is lost too; read it before. Actions that the
  ///   app performs concurrently may be missing.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`. After a `StoreError`, the person is still
  ///   logged in, unless it is a `failed` write.
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

  /// Renames the person, and keeps everything that the device has stored for them; for example,
  /// when an anonymous person gets a name.
  ///
  /// From then on, log in under the new name, at each launch too. For the old name, or none,
  /// ``InboxStore/logIn(_:at:policy:)`` returns a new and empty account.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`; its `log` with `tooLarge` if the name has
  ///   more than ``InboxStore/nameBytesMax`` bytes.
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
