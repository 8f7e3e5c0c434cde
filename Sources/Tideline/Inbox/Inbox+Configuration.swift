public import EventStore

extension Inbox {
  /// Sets how the server behaves and how the inbox works; omitted parameters change nothing.
  ///
  /// Each event is applied under the configuration that was in force when it was recorded.
  /// ``profile`` and ``marksReadOnOpening`` return the present configuration.
  ///
  /// - Parameters:
  ///   - policy: The server's behavior, replaced as a whole; a later login with another policy
  ///     replaces it again.
  ///   - isInboxEnabled: Whether there is a rich inbox: without one, its messages are kept but not
  ///     shown. Of several accounts that are logged in, pushes belong to the only one with a rich
  ///     inbox. The setting stays with the account.
  ///   - marksReadOnOpening: Whether opening an alert or a rich message marks it as read, whatever
  ///     the policy of a later login says.
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
    if isInboxEnabled == false { await store.forgetFirstScreen() }
    if isInboxEnabled != nil { await store.updateRecipient() }
  }

  /// Whether opening an alert or a rich message marks it as read, as configured now.
  public var marksReadOnOpening: Bool {
    get throws {
      try store.core.read { $0.switches(of: account)?.openingMarksRead == true }
    }
  }

  /// Sets what may be done with the person's data; in a mode that allows nothing, pushes aren't
  /// kept either.
  ///
  /// A running `Sync` neither pulls nor sends while the mode is `.restricted` or `.forgotten`, and
  /// continues once the mode is another.
  ///
  /// `.forgotten` erases all of the data permanently, as ``erase()`` does, except who is logged in
  /// and how the account is configured. The data disappears from lists at once. It is gone from the
  /// disk when this returns, unless the report says that not everything is wiped because another
  /// process still reads it, or this process ends before; then it is gone once the store is next
  /// opened.
  ///
  /// - Returns: What was erased by `.forgotten`; `nil` for another mode.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  @discardableResult
  public func setPrivacy(_ mode: PrivacyMode) async throws -> ErasureReport? {
    let login = try login()
    var report: ErasureReport?
    if mode == .forgotten {
      report = try await store.forget(login)
    } else {
      try await store.append(PrivacyChanged { $0.mode = mode }, login)
    }
    if mode == .restricted || mode == .forgotten { await store.forgetFirstScreen() }
    await store.updateRecipient()
    return report
  }
}
