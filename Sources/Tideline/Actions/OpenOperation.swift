public import EventStore
public import Foundation

/// A requested change to one object that the server has not done.
public struct OpenOperation: Sendable, Hashable {
  /// The kind of change.
  public enum Kind: String, Sendable {
    /// Mark it as read.
    case markRead
    /// Mark it as unread.
    case markUnread
    /// Change its tags.
    case changeTags
    /// Delete it.
    case delete
    /// Save a draft.
    case saveDraft
    /// Send a draft.
    case sendDraft
    /// Delete a draft.
    case deleteDraft
    /// Save a tag with its name.
    case saveTag
    /// Upload a file.
    case addFile
    /// Add a file to a draft.
    case attachFile
    /// Report to the sender that it was received or opened.
    case report
  }

  /// The progress of an operation.
  public enum State: String, Sendable {
    /// Not begun yet, or to be tried again.
    case waiting
    /// Begun.
    case started
    /// Put off until later.
    case deferred
    /// Of unknown outcome.
    case uncertain
    /// Refused by the server; only for drafts, whose text is kept.
    case rejected
  }

  /// Where and when an operation was read.
  struct Origin: Sendable {
    let inbox: Inbox
    /// The number of the store's setbacks until then, if it could be told.
    let setbacks: Int?
  }

  /// The record of the intent.
  public let intent: RecordNumber
  /// The number of the account that it belongs to.
  public let account: UInt32
  /// The kind of change.
  public let kind: Kind
  /// The class of the object.
  public let objectClass: ObjectClass
  /// The object's id, which several open operations may share.
  public let id: String
  /// The id of the operation's row, which no other has, as for `ForEach(open, id: \.rowID)`.
  public let rowID: String
  /// The ids of the tags that the object is to get, or of the file that a draft is to get.
  public let added: Set<String>
  /// The ids of the tags that the object is to lose.
  public let removed: Set<String>
  /// The name of a tag to save.
  public let name: String?
  /// The operation's progress.
  public let state: State
  /// Why the operation is deferred or rejected, as long as it is.
  public let reason: Reason?
  /// The status of the answer that put the operation off or refused it, if there was one.
  public let status: Int?
  /// What that answer said, at most 1,024 bytes, such as which recipient a server refused.
  public let answer: String?
  /// The number of attempts so far.
  public let attempts: Int
  /// Whether the operation was begun, so that the server may have done it.
  public let wasBegun: Bool
  /// The time before which the operation does not begin: until then it is held or deferred.
  public let notBefore: Date?
  /// Where and when the operation was read; `nil` for a past state.
  var origin = Aside<Origin?>(nil)

  /// A receipt to withdraw, hold or await the operation, even after the app was relaunched.
  ///
  /// It covers the whole intent, which may include other operations. It is `nil` for a past state,
  /// such as in a replay, and once the record of the intent may have been lost, as on a full disk;
  /// if it was not, the operation is still among the open ones.
  ///
  /// - Complexity: O(records since the action, of any account)
  public var receipt: IntentReceipt? {
    origin.note.flatMap { IntentReceipt(seen: intent, in: $0.inbox, since: $0.setbacks) }
  }

  package init?(_ row: Row) {
    guard let intent = row[Operations.intent], let action = row[Operations.action],
      let state = row[Operations.state].flatMap(State.init),
      let objectClass = row[Operations.objectClass]
    else { return nil }
    self.intent = RecordNumber(kept: intent)
    account = UInt32(truncatingIfNeeded: row[Operations.account] ?? 0)
    kind = Kind(action, isTrue: row[Operations.isTrue] == true)
    self.objectClass = objectClass
    (id, rowID) = (row[Operations.item] ?? "", row.id)
    (added, removed) = (row[Operations.added] ?? [], row[Operations.removed] ?? [])
    name = row[Operations.name]
    self.state = state
    reason =
      row[Operations.deferral].map(Reason.init) ?? row[Operations.rejection].map(Reason.init)
    (status, answer) = (row[Operations.status], row[Operations.answer])
    attempts = row[Operations.attempts] ?? 0
    wasBegun = row[Operations.wasBegun] == true
    let moments = [row[Operations.heldUntil], row[Operations.deferredUntil]].compactMap(\.self)
    notBefore = moments.max().flatMap(Date.init(kept:))
  }
}

extension OpenOperation.State {
  /// The state of an operation that is not done.
  fileprivate init?(_ state: Operations.State) {
    switch state {
    case .waiting: self = .waiting
    case .started: self = .started
    case .deferred: self = .deferred
    case .uncertain: self = .uncertain
    case .rejected: self = .rejected
    case .acknowledged: return nil
    }
  }
}

extension OpenOperation.Kind {
  fileprivate init(_ action: Operations.Action, isTrue: Bool) {
    switch action {
    case .markRead: self = isTrue ? .markRead : .markUnread
    case .changeTags: self = .changeTags
    case .delete: self = .delete
    case .saveDraft: self = .saveDraft
    case .sendDraft: self = .sendDraft
    case .deleteDraft: self = .deleteDraft
    case .saveTag: self = .saveTag
    case .addFile: self = .addFile
    case .attach: self = .attachFile
    case .reportOpened, .reportDownloaded: self = .report
    }
  }
}
