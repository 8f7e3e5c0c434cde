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

  /// Returns whether a draft has become a message.
  func isSent(_ snapshot: borrowing StoreSnapshot) -> Bool {
    guard head.objectClass == .draft else { return false }
    return ((try? snapshot.heldObject(Message.self, head.name.item, of: account)) ?? nil) != nil
  }

  /// Returns whether the object exists, though it may be hidden.
  func isThere(_ snapshot: borrowing StoreSnapshot) -> Bool {
    snapshot.isThere(head.name.item, kind, of: account)
  }

  /// Returns whether the server refused the content of a draft.
  func isFailed(_ snapshot: borrowing StoreSnapshot) -> Bool {
    draft(snapshot)?.state == .failed
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

  /// Returns whether the server has what an operation needs.
  func footing(of entry: OutboxEntry, _ snapshot: borrowing StoreSnapshot) -> Footing {
    switch entry.action {
    case .saveDraft, .attach:
      guard let draft = draft(snapshot) else { return .firm }
      return footing(of: draft.fileIDs.union(entry.added), .file, snapshot)
    case .changeTags: return footing(of: entry.added.union(entry.removed), .tag, snapshot)
    default: return .firm
    }
  }

  private func footing(
    of ids: Set<String>, _ kind: ObjectKind, _ snapshot: borrowing StoreSnapshot
  ) -> Footing {
    var footing = Footing.firm
    for id in ids {
      if snapshot.isNew(id, kind, of: account) { footing = .awaited }
      if TemporaryID.begins(id), !snapshot.isThere(id, kind, of: account) { return .lost }
    }
    return footing
  }

  private func draft(_ snapshot: borrowing StoreSnapshot) -> Draft? {
    (try? snapshot.heldObject(Draft.self, head.name.item, of: account)) ?? nil
  }

  /// Returns whether the server already reports the combined result of the operations.
  func isAsToldAlready(_ group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot) -> Bool {
    // The server does not yet show what it did before.
    guard !snapshot.hasUnshown(standing) else { return false }
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
      let (added, removed) = tags(of: group)
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
  private func tags(of group: [OutboxEntry]) -> (added: Set<String>, removed: Set<String>) {
    var (added, removed): (Set<String>, Set<String>) = ([], [])
    for entry in group {
      added = added.subtracting(entry.removed).union(entry.added)
      removed = removed.subtracting(entry.added).union(entry.removed)
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
    if kind.objectClass == .rich {
      snapshot.lend(head.object.row, in: RichMessages.collection) {
        part.requestID = $0[RichMessages.requestID]
      }
    }
    return part
  }

  private func wanted(
    of group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot
  ) -> ServerRequest.Wanted? {
    switch head.action {
    case .markRead: return .read(group[group.count - 1].isTrue)
    case .changeTags:
      let (added, removed) = tags(of: group)
      return .tags(
        added: serverIDs(of: added, .tag, snapshot),
        removed: serverIDs(of: removed, .tag, snapshot))
    case .delete, .deleteDraft: return .deletion
    case .saveDraft, .attach:
      let wanted = try? snapshot.draft(
        head.name.item, of: account, on: standing, wantedBy: Set(group.map(\.name.intent)))
      guard var draft = wanted ?? nil else { return nil }
      draft.fileIDs = serverIDs(of: draft.fileIDs, .file, snapshot)
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
