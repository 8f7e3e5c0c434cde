import EventStore
import Foundation

extension Inbox {
  /// Performs an action: its effect is visible at once, and durable when this method returns.
  ///
  /// Unless other writes are under way, the effect is visible before the caller is suspended, so a
  /// list on the same actor needn't wait for another thread.
  ///
  /// A held action is not sent, and can be withdrawn, until the hold ends, after 100 years at most.
  /// Of several objects, those that no longer exist are skipped: they may have gone since the
  /// person chose them.
  ///
  /// - Throws: ``IntentError``, ``QueryError``, and `RowError` for a value that is too large, in
  ///   which case nothing was recorded; `StoreError`.
  @discardableResult
  public nonisolated(nonsending) func perform(
    _ action: Action, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    let login = try login(permitting: action)
    if let sending = try sending(of: action.drafts) {
      if sending.isBegun { throw IntentError.tooLate }
      if action.isSending, let receipt = try await goOn(sending, heldFor: hold) { return receipt }
    }
    var terms = IntentTerms()
    terms.key = store.randomness.key()
    terms.heldUntil = hold.map { store.now.later(by: $0) }
    let intent = try maker(of: action)(terms)
    let number = try await record(intent, about: action.ids.count, login)
    store.randomness.prepareKey()
    let receipt = IntentReceipt(of: number, in: self)
    // After the end of the login it has no effect; if that can't be told any more, it had one.
    let isOver = receipt.count == 0 && (try? isLoggedIn(login)) == false
    if isOver { throw IntentError.loggedOut }
    return receipt
  }

  /// Returns what makes the intent, given whether the draft to save exists.
  private func maker(of action: Action) throws -> @Sendable (IntentTerms) -> any Intent {
    guard let anew = action.anew, try object(Draft.self, anew.id) == nil else {
      return action.intent
    }
    // The intent would have no effect, and the text would be lost.
    let isThere = try store.core.read { try $0.row("\(account)/\(anew.id)", in: Draft.collection) }
    if isThere != nil { throw IntentError.unknown(id: anew.id) }
    return anew.intent
  }

  /// The largest number of objects for which an intent is reduced on the caller's actor.
  private static let shownMax = 64

  /// Records an intent about a number of objects, and returns the number of its first record.
  private nonisolated(nonsending) func record(
    _ intent: any Intent, about count: Int, _ login: Login
  ) async throws -> RecordNumber {
    // The kind tells it sooner than a cast.
    guard intent.kind == MarkAll.kind, var intent = intent as? MarkAll else {
      return count <= Self.shownMax
        ? try await store.show(intent, login) : try await store.append([intent], login).lowerBound
    }
    // The views' thread reduces an intent about very many objects, part by part.
    let parts = try store.core.read { snapshot in
      intent.asOf = snapshot.position.number
      return try intent.parts(of: account, in: snapshot)
    }
    return try await store.append(parts, login, inParts: parts.count > 1).lowerBound
  }

  /// Returns the present login, if the action can be performed under it.
  private func login(permitting action: Action) throws -> Login {
    try store.core.read { snapshot in
      let login = try snapshot.login(of: account)
      if let failure = action.failure { throw failure }
      if let owner = action.account, owner != account {
        throw IntentError.unfit(
          action.objectClass, wanted: "changed in the inbox of another account",
          remedy: "Use the inbox of account \(owner)")
      }
      if action.marksUnread, snapshot.switches(of: account)?.marksUnread != true {
        throw IntentError.unsupported("mark as unread")
      }
      guard let first = action.ids.first, let kind = ObjectKind.of(action.objectClass),
        !action.ids.contains(where: {
          snapshot.shows($0, kind, action.objectClass, of: account)
        })
      else { return login }
      throw IntentError.unknown(id: first)
    }
  }

  /// Continues a sending that waits, and returns its receipt; `nil` if it was rejected.
  private nonisolated(nonsending) func goOn(
    _ sending: OpenOperation, heldFor hold: Duration?
  ) async throws -> IntentReceipt? {
    guard sending.state != .rejected, let receipt = sending.receipt else { return nil }
    let isDeferred = sending.state == .deferred
    if hold != nil || !isDeferred && sending.notBefore != nil {
      try await receipt.hold(for: hold ?? .zero)
    }
    if isDeferred { try await retry(sending) }
    return receipt
  }

  /// Returns the open sending of any of some drafts, by whichever of their ids these are named.
  private func sending(of drafts: [String]) throws -> OpenOperation? {
    guard !drafts.isEmpty else { return nil }
    return try store.core.read { snapshot in
      let setbacks = snapshot.setbacks.count
      for draft in drafts {
        let operations = try snapshot.operations(on: draft, .message, of: account)
        let sending = operations.first { $0[Operations.action] == .sendDraft }
        if let open = sending.flatMap({ open($0, since: setbacks) }) { return open }
      }
      return nil
    }
  }

  /// Returns a temporary id, for a new object that no server has named yet.
  public func newID() -> String { store.randomness.temporaryID() }
}

extension OpenOperation {
  /// Whether the server may be performing the operation, or may have performed it.
  fileprivate var isBegun: Bool { [.started, .uncertain].contains(state) }
}

extension StoreSnapshot {
  /// Returns whether an object is shown, as a draft or as a message if it may be either.
  fileprivate func shows(
    _ id: String, _ kind: ObjectKind, _ objectClass: ObjectClass, of account: UInt32
  ) -> Bool {
    var isShown = false
    lend(ObjectKey(id, kind, of: account).row, in: kind.collection) { row in
      isShown = row[InboxFields.hiding] == nil
      guard kind.objectClass == .message else { return }
      isShown = isShown && (row[Messages.kind] == .draft) == (objectClass == .draft)
    }
    return isShown
  }
}
