import EventStore

/// Deletions whose objects are gone before their answers are recorded, as a stream may report.
extension IntentReceipt {
  /// The number of objects that are looked up together.
  private static let stepMax = 128

  /// Returns whether all is confirmed, given the standing at the last record.
  func isConfirmed(_ fate: inout IntentFate, _ standing: IntentStanding) throws -> Bool {
    do throws(IntentError) { return try fate.isConfirmed(standing) } catch {
      guard error == .abandoned, let gone = try gone(beside: fate.done) else { throw error }
      fate.note(done: gone)
      return try fate.isConfirmed(standing)
    }
  }

  /// Returns the items of a deletion that the server no longer has, apart from those that it has
  /// done; `nil` if there is one of which nothing is known, or if the action deletes nothing.
  private func gone(beside done: Set<String>) throws -> Set<String>? {
    guard let (kind, ids) = try deletion() else { return nil }
    var (gone, rest): (Set<String>, ArraySlice<String>) = ([], ids[...])
    while !rest.isEmpty {
      let isKnown = try inbox.store.core.read(givingWay: true) { snapshot in
        // After the end of the login, the server is not asked for anything.
        guard (try? snapshot.login(of: inbox.account)) != nil else { return false }
        for id in rest.prefix(Self.stepMax) where !done.contains(id) {
          if snapshot.isBuried(id, kind, of: inbox.account) {
            gone.insert(id)
          } else {
            guard try isOpen(id, snapshot) else { return false }
          }
        }
        return true
      }
      guard isKnown else { return nil }
      rest = rest.dropFirst(Self.stepMax)
    }
    return gone
  }

  private func isOpen(_ id: String, _ snapshot: borrowing StoreSnapshot) throws -> Bool {
    let operation = Operations.id(of: number, on: id, account: inbox.account)
    return try snapshot.row(operation, in: Operations.collection) != nil
  }

  /// Returns what the action deletes, if it names that.
  private func deletion() throws -> (kind: ObjectKind, ids: [String])? {
    guard let record = try inbox.store.core.log.record(number) else { return nil }
    switch try? EventCatalog.event(of: record) {
    case let event as DeleteObjects: return ObjectKind.of(event.objectClass).map { ($0, event.ids) }
    case let event as DeleteDraft: return ObjectKind.of(.draft).map { ($0, [event.id]) }
    default: return nil
    }
  }
}

extension StoreSnapshot {
  /// Returns whether an object is gone because a server reported so, or did what was wanted.
  fileprivate func isBuried(_ id: String, _ kind: ObjectKind, of account: UInt32) -> Bool {
    let key = ObjectKey(id, kind, of: account)
    var isBuried = false
    lend(key.stone, in: Tombstones.collection) { _ in isBuried = true }
    return isBuried && !isThere(id, kind, of: account)
  }
}
