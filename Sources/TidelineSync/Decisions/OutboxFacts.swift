import EventStore
import Foundation
import Tideline

/// What is known about the object of a chain of operations.
struct OutboxFacts {
  let head: OutboxEntry
  let kind: ObjectKind
  let account: UInt32
  private let standing: ServerStanding

  init(_ head: OutboxEntry, _ snapshot: borrowing StoreSnapshot, _ account: UInt32) {
    self.head = head
    self.account = account
    kind = ObjectKind.of(head.objectClass) ?? .message
    standing = snapshot.standing(of: head.object.row, kind)
  }

  /// Whether the server has not seen the object.
  var isNew: Bool { standing.isNew }

  /// Whether the first operation creates something at the server.
  ///
  /// Repeating it may then create a duplicate if the server ignores keys.
  var makesAnew: Bool {
    guard isNew else { return false }
    switch head.action {
    case .saveDraft, .attach, .saveTag, .addFile: return true
    default: return false
    }
  }

  /// Returns whether any of some operations is on the object too, which may have been another one
  /// when they were sent.
  func hasAny(of others: Set<RowID>, _ snapshot: borrowing StoreSnapshot) -> Bool {
    !others.isEmpty
      && snapshot.operations(from: standing.operation).contains(where: others.contains)
  }

  /// Returns whether a draft has become a message.
  func isSent(_ snapshot: borrowing StoreSnapshot) -> Bool {
    head.objectClass == .draft && snapshot.isMessage(head.name.item, in: account)
  }

  /// Returns whether the object exists, though it may be hidden.
  func isThere(_ snapshot: borrowing StoreSnapshot) -> Bool {
    snapshot.isThere(head.name.item, kind, of: account)
  }

  /// Returns whether the server refused the content of a draft.
  func isFailed(_ snapshot: borrowing StoreSnapshot) -> Bool {
    let draft = try? snapshot.heldObject(Draft.self, head.name.item, of: account)
    return (draft ?? nil)?.state == .failed
  }

  /// The state of what an operation needs at the server.
  enum Footing {
    /// Nothing is missing.
    case firm
    /// Another operation will create what is missing.
    case awaited
    /// Something will never exist: the server refused to create it.
    case lost
  }

  /// Returns whether the server has what the first of some operations needs, what the first two
  /// need together, and so on.
  ///
  /// A later saving of a draft may need less than those before it: it may have removed a file.
  func footings(
    of group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot
  ) -> [Footing] {
    switch head.action {
    case .saveDraft, .attach:
      let told = snapshot.files(toldIn: standing)
      return snapshot.files(on: standing, after: group.map(\.name.intent)).map {
        footing(of: $0.subtracting(told), .file, snapshot)
      }
    case .changeTags:
      var tags: Set<String> = []
      return group.map { entry in
        tags.formUnion(entry.added.union(entry.removed))
        return footing(of: tags, .tag, snapshot)
      }
    default: return group.map { _ in .firm }
    }
  }

  private func footing(
    of ids: Set<String>, _ kind: ObjectKind, _ snapshot: borrowing StoreSnapshot
  ) -> Footing {
    var footing = Footing.firm
    for id in ids {
      if snapshot.isNew(id, kind, of: account) { footing = .awaited }
      if isVanished(id, kind, snapshot) { return .lost }
    }
    return footing
  }

  /// Whether an object that was created here is gone, so that no server knows its id.
  private func isVanished(
    _ id: String, _ kind: ObjectKind, _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    TemporaryID.begins(id) && !snapshot.isThere(id, kind, of: account)
  }

  /// Returns the operations that mark a message's thread, or a thread's messages, and that the
  /// server has not done.
  ///
  /// The later of two such wishes is to prevail, so they are not sent at the same time.
  func unsentMarkings(_ snapshot: borrowing StoreSnapshot) -> [OutboxEntry] {
    markings(snapshot).filter(\.isUnsent)
  }

  private func markings(_ snapshot: borrowing StoreSnapshot) -> [OutboxEntry] {
    guard head.action == .markRead else { return [] }
    let rows = try? snapshot.markings(concerning: head.name.item, kind, of: account, standing)
    var entries: [OutboxEntry] = []
    for row in rows ?? [] {
      if let entry = snapshot.entry(of: row) { entries.append(entry) }
    }
    return entries
  }

  /// Returns whether the server already reports the combined result of the operations.
  func isAsToldAlready(_ group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot) -> Bool {
    // The server does not yet show what it did before.
    guard !snapshot.hasUnshown(standing), markings(snapshot).isEmpty else { return false }
    switch (head.action.family, kind.objectClass) {
    case (.reading, .message):
      let isUnread = told(Messages.isUnread, snapshot) == true
      return isUnread != group[group.count - 1].isTrue
    case (.reading, .rich):
      let isRead = told(RichMessages.isRead, snapshot) == true
      return isRead == group[group.count - 1].isTrue
    case (.tagging, _):
      let field = kind.objectClass == .thread ? Threads.tagIDs : Messages.tagIDs
      let told = told(field, snapshot) ?? []
      let (added, removed) = tags(of: group) { $0 }
      return told.isSuperset(of: added) && told.isDisjoint(with: removed)
    default: return false
    }
  }

  /// Returns the server's value of a field of the object.
  private func told<Value: FieldValue>(
    _ field: Field<Value>, _ snapshot: borrowing StoreSnapshot
  ) -> Value? {
    var value: Value?
    snapshot.lend(standing.base, in: standing.bases) { value = $0[field] }
    return value
  }

  /// Returns the tags that the operations add and remove, applied in order.
  ///
  /// - Parameter named: Returns the ids that tags go by; two of one tag count as one.
  private func tags(
    of group: [OutboxEntry], _ named: (Set<String>) -> Set<String>
  ) -> (added: Set<String>, removed: Set<String>) {
    var (added, removed): (Set<String>, Set<String>) = ([], [])
    for entry in group {
      let more = named(entry.added)
      let fewer = named(entry.removed).subtracting(more)
      added = added.subtracting(fewer).union(more)
      removed = removed.subtracting(more).union(fewer)
    }
    return (added, removed)
  }

  /// Returns the request part for operations that go as one; `nil` if nothing can be requested.
  func part(
    of group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot
  ) -> ServerRequest.Part? {
    guard let wanted = wanted(of: group, snapshot) else { return nil }
    var part = ServerRequest.Part(
      head.objectClass, standing.serverID ?? head.name.item, wanted,
      version: told(InboxFields.version, snapshot).map(Int64.init))
    part.wantedAt = group.last?.createdAt.map { Date(kept: $0) }
    part.requestID = standing.requestID
    return part
  }

  private func wanted(
    of group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot
  ) -> ServerRequest.Wanted? {
    switch head.action {
    case .markRead: return .read(group[group.count - 1].isTrue)
    case .changeTags:
      let (added, removed) = tags(of: group) { serverIDs(of: $0, .tag, snapshot) }
      return .tags(added: added, removed: removed)
    case .delete, .deleteDraft: return .deletion
    case .saveDraft, .attach:
      let wanted = try? snapshot.draft(
        head.name.item, of: account, on: standing, wantedBy: Set(group.map(\.name.intent)))
      guard var draft = wanted ?? nil else { return nil }
      draft.fileIDs = serverIDs(
        of: draft.fileIDs.filter { !isVanished($0, .file, snapshot) }, .file, snapshot)
      return .draft(draft, isNew: isNew)
    case .sendDraft: return .sending(messageID: nil)
    case .saveTag: return head.tagName.map { .tag(name: $0, isNew: isNew) }
    case .addFile:
      let file = try? snapshot.heldObject(
        Attachment.self, head.name.item, of: account, orDeleted: true)
      return (file ?? nil).map { .file($0, path: $0.localPath) }
    case .reportOpened: return .opening
    case .reportDownloaded: return .receipt
    }
  }

  private func serverIDs(
    of ids: Set<String>, _ kind: ObjectKind, _ snapshot: borrowing StoreSnapshot
  ) -> Set<String> {
    var result: Set<String> = []
    for id in ids { result.insert(snapshot.serverID(of: id, kind, in: account)) }
    return result
  }
}

extension StoreSnapshot {
  /// Returns whether an id is that of a message, which may have been a draft.
  func isMessage(_ id: String, in account: UInt32) -> Bool {
    ((try? heldObject(Message.self, id, of: account)) ?? nil) != nil
  }
}
