import EventStore
import Foundation

extension Inbox {
  /// Does what is wanted: it is visible at once, and on the medium when this returns.
  ///
  /// As long as it is held it is not sent, and can be withdrawn.
  ///
  /// - Throws: ``IntentError``, and nothing was done; `StoreError`.
  @discardableResult
  public func perform(
    _ action: Action, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    let login = try login()
    try check(action)
    var terms = IntentTerms()
    terms.key = store.randomness.key()
    let now = store.now
    terms.heldUntil = hold.map { Timestamp(rawValue: now.rawValue + $0.milliseconds) }
    let number = try await store.append(action.intent(terms), login)
    return IntentReceipt(number: number, inbox: self)
  }

  private func check(_ action: Action) throws {
    if let tag = action.contradiction { throw IntentError.contradictory(tag: tag) }
    try store.core.read { snapshot in
      if action.marksUnread {
        guard try snapshot.marksUnread(account) else {
          throw IntentError.unsupported("mark as unread")
        }
      }
      guard let kind = ObjectKind.of(action.objectClass) else { return }
      for id in action.ids {
        let row = try snapshot.row("\(account)/\(id)", in: kind.collection)
        guard let row, row[InboxFields.hiding] == nil else { throw IntentError.unknown(id: id) }
      }
    }
  }

  /// An id for something new that no server has named yet.
  public func newID() -> String { store.randomness.temporaryID() }
}

extension StoreSnapshot {
  /// Whether an account's server can mark as unread.
  fileprivate func marksUnread(_ account: UInt32) throws -> Bool {
    try row("\(account)", in: Accounts.collection)?[Accounts.canMarkUnread] == true
  }
}

extension Duration {
  /// The duration in whole milliseconds.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
