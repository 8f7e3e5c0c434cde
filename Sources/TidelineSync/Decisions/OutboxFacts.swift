import EventStore
import Foundation
import Tideline

/// What is known of the object that operations are about.
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

  /// Whether the server has not seen it.
  var isNew: Bool { standing.isNew }

  /// Whether the first operation would make something at the server, so that to ask twice may make
  /// two where the server does not heed keys.
  var makesAnew: Bool {
    guard isNew else { return false }
    switch head.action {
    case .saveDraft, .attach, .saveTag, .addFile: return true
    default: return false
    }
  }

  /// Whether a draft is a message by now.
  func isSent(_ snapshot: borrowing StoreSnapshot) -> Bool {
    guard head.objectClass == .draft else { return false }
    return ((try? snapshot.heldObject(Message.self, head.name.item, of: account)) ?? nil) != nil
  }

  /// Whether the server has refused what was written of a draft.
  func isFailed(_ snapshot: borrowing StoreSnapshot) -> Bool {
    draft(snapshot)?.state == .failed
  }

  /// What an operation on the object needs to be at the server first.
  enum Footing {
    /// Nothing that is not there.
    case firm
    /// Something that another operation makes.
    case awaited
    /// Something that will never be there: the server has refused to make it.
    case lost
  }

  /// Whether what an operation on the object needs is at the server.
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
      let isTemporary = id.hasPrefix(TemporaryID.prefix)
      if isTemporary, !snapshot.isThere(id, kind, of: account) { return .lost }
    }
    return footing
  }

  private func draft(_ snapshot: borrowing StoreSnapshot) -> Draft? {
    (try? snapshot.heldObject(Draft.self, head.name.item, of: account)) ?? nil
  }

  /// Whether operations together come to what the server says already.
  func isAsToldAlready(_ group: [OutboxEntry], _ snapshot: borrowing StoreSnapshot) -> Bool {
    // It does not show yet what it has done before.
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

  /// What the server says of the object, as a field of it.
  private func told<Value: FieldValue>(
    _ field: Field<Value>, _ snapshot: borrowing StoreSnapshot
  ) -> Value? {
    var value: Value?
    snapshot.lend(standing.base, in: standing.bases) { value = $0[field] }
    return value
  }

  /// The tags that operations add and remove, one behind the other.
  private func tags(of group: [OutboxEntry]) -> (added: Set<String>, removed: Set<String>) {
    var (added, removed): (Set<String>, Set<String>) = ([], [])
    for entry in group {
      added = added.subtracting(entry.removed).union(entry.added)
      removed = removed.subtracting(entry.added).union(entry.removed)
    }
    return (added, removed)
  }

  /// What is asked of the server for operations that go as one; `nil` where nothing can be.
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
      let file = try? snapshot.heldObject(Attachment.self, head.name.item, of: account)
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
