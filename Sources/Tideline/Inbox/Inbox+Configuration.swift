import EventStore

extension Inbox {
  /// Sets how the server behaves and what is wanted; what is not named stays as it is.
  ///
  /// Each event counts as it was configured when it was recorded. How it is configured now
  /// ``profile()`` and ``marksReadOnOpening`` say.
  ///
  /// - Parameters:
  ///   - policy: How the server behaves, all of it.
  ///   - isInboxEnabled: Whether there is a rich inbox: without one its messages are kept and not
  ///     shown.
  ///   - marksReadOnOpening: Whether to open an alert, or a rich message, means to read it.
  ///   - ownsBadge: Whether the app sets its badge itself.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  public func configure(
    policy: PolicySwitches? = nil, isInboxEnabled: Bool? = nil,
    marksReadOnOpening: Bool? = nil, ownsBadge: Bool? = nil
  ) async throws {
    let event = ConfigurationChanged {
      $0.policy = policy
      $0.isInboxEnabled = isInboxEnabled
      $0.marksReadOnOpening = marksReadOnOpening
      $0.ownsBadge = ownsBadge
    }
    try await store.append(event, try login())
  }

  /// Whether to open an alert, or a rich message, means to read it: as it is configured now.
  public var marksReadOnOpening: Bool {
    get throws {
      try store.core.read { $0.switches(of: account)?.openingMarksRead == true }
    }
  }

  /// Sets what may be done with the person's data; where it is nothing, pushes are not kept either.
  ///
  /// Somebody who is not to be synchronized is not: a running `Sync` neither pulls nor sends while
  /// the mode is `.restricted` or `.forgotten`, and goes on when it is another.
  ///
  /// To be forgotten erases all of it for good, as ``erase()`` does, but for who is logged in and
  /// how the account is configured: at once from what is shown, and from the disk when this
  /// returns, or when the store is opened next should the process end meanwhile.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  public func setPrivacy(_ mode: PrivacyMode) async throws {
    let login = try login()
    if mode == .forgotten {
      try await store.forget(login)
    } else {
      try await store.append(PrivacyChanged { $0.mode = mode }, login)
    }
    await store.updateRecipient()
  }
}
