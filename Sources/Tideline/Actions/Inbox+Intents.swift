import EventStore
import Foundation

extension Inbox {
  /// Does what is wanted: it is visible at once, and on the medium when this returns.
  ///
  /// Where nothing else is being written it is visible before the caller is suspended: a list that
  /// is shown on the same actor needn't wait for another thread.
  ///
  /// As long as it is held it is not sent, and can be withdrawn; that is for 100 years at most. Of
  /// several objects those that are no more are left alone: they may have gone since they were
  /// chosen.
  ///
  /// - Throws: ``IntentError`` and ``QueryError``, and `RowError` of what is too large, and nothing
  ///   was done; `StoreError`.
  @discardableResult
  public nonisolated(nonsending) func perform(
    _ action: Action, heldFor hold: Duration? = nil
  ) async throws -> IntentReceipt {
    let login = try login()
    try check(action)
    var terms = IntentTerms()
    terms.key = store.randomness.key()
    let now = store.now
    terms.heldUntil = hold.map(now.later)
    let intent = try maker(of: action)(terms)
    let number = try await record(intent, about: action.ids.count, login)
    let receipt = IntentReceipt(of: number, in: self)
    // Behind the end of the login it does nothing; where that can't be told any more it was done.
    let isOver = receipt.count == 0 && (try? isLoggedIn(login)) == false
    if isOver { throw IntentError.loggedOut }
    return receipt
  }

  /// What makes the intent, as things stand.
  private func maker(of action: Action) throws -> @Sendable (IntentTerms) -> any Intent {
    guard let anew = action.anew, try object(Draft.self, anew.id) == nil else {
      return action.intent
    }
    // Nothing would come of it, and what was written would be lost.
    let isThere = try store.core.read { try $0.row("\(account)/\(anew.id)", in: Draft.collection) }
    if isThere != nil { throw IntentError.unknown(id: anew.id) }
    return anew.intent
  }

  /// The objects up to which an intent about them is shown on the actor of who calls.
  private static let shownMax = 64

  /// Records an intent about so many objects, and returns the number that it begins with.
  private nonisolated(nonsending) func record(
    _ intent: any Intent, about count: Int, _ login: Login
  ) async throws -> RecordNumber {
    guard let intent = intent as? MarkAll else {
      return count <= Self.shownMax
        ? try await store.show(intent, login) : try await store.append([intent], login).lowerBound
    }
    // What may change very many objects is left to the views' thread, some of them at a time.
    let parts = try store.core.read { try intent.parts(of: account, in: $0) }
    return try await store.append(parts, login, inParts: parts.count > 1).lowerBound
  }

  private func check(_ action: Action) throws {
    if let failure = action.failure { throw failure }
    if action.deletesDrafts, try isSending(action.ids) { throw IntentError.tooLate }
    try store.core.read { snapshot in
      if action.marksUnread {
        guard snapshot.switches(of: account)?.marksUnread == true else {
          throw IntentError.unsupported("mark as unread")
        }
      }
      guard let kind = ObjectKind.of(action.objectClass), let first = action.ids.first else {
        return
      }
      let isAnyShown = try action.ids.contains { id in
        let row = try snapshot.row("\(account)/\(id)", in: kind.collection)
        return row.map { $0[InboxFields.hiding] == nil } ?? false
      }
      guard isAnyShown else { throw IntentError.unknown(id: first) }
    }
  }

  /// Whether any of some drafts is being sent, or may have been.
  private func isSending(_ ids: [String]) throws -> Bool {
    try openOperations().contains { operation in
      operation.kind == .sendDraft && ids.contains(operation.id)
        && [.started, .uncertain].contains(operation.state)
    }
  }

  /// An id for something new that no server has named yet.
  public func newID() -> String { store.randomness.temporaryID() }
}

extension Duration {
  /// The duration in whole milliseconds, as far as there are such.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    guard !isTooLong else { return seconds > 0 ? .max : .min }
    return whole + attoseconds / 1_000_000_000_000_000
  }
}

extension Timestamp {
  /// The moment that is so much later, by 100 years at most.
  func later(by duration: Duration) -> Timestamp {
    let limit: Int64 = 100 * 365 * 86_400_000
    let wait = min(max(duration.milliseconds, -limit), limit)
    let (moment, isOver) = rawValue.addingReportingOverflow(wait)
    return isOver ? self : Timestamp(rawValue: moment)
  }
}
