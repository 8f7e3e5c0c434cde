public import EventStore
public import Foundation

/// Something that was wanted of one object, and that the server has not done.
public struct OpenOperation: Sendable, Hashable {
  /// What was wanted.
  public enum Kind: String, Sendable {
    /// That it is read.
    case markRead
    /// That it is unread.
    case markUnread
    /// Other tags.
    case changeTags
    /// That it is gone.
    case delete
    /// A draft as it was written.
    case saveDraft
    /// That a draft is sent.
    case sendDraft
    /// That a draft is gone.
    case deleteDraft
    /// A tag with a name.
    case saveTag
    /// A file at the server.
    case addFile
    /// A file among those of a draft.
    case attachFile
    /// That the sender knows that it was received, or opened.
    case report
  }

  /// How far it has come.
  public enum State: String, Sendable {
    /// It was not begun, or is to be tried again.
    case waiting
    /// It was begun.
    case started
    /// It is to be tried again later.
    case deferred
    /// It is not known what became of it.
    case uncertain
    /// The server doesn't take a draft, whose text is kept.
    case rejected
  }

  /// The record that says so.
  public let intent: RecordNumber
  /// What was wanted.
  public let kind: Kind
  /// The object's id.
  public let id: String
  /// How far it has come.
  public let state: State
  /// Why it was deferred or rejected, as long as it is.
  public let reason: Reason?
  /// How often it was begun.
  public let attempts: Int
  /// Whether it was begun, so that the server may have done it.
  public let wasBegun: Bool
  /// The moment before which it is not begun: until then it is held or deferred.
  public let notBefore: Date?
  /// The inbox that said that it is open.
  var inbox = Aside<Inbox?>(nil)

  /// What to take it back with, hold it or wait for it, also when the app was launched anew.
  ///
  /// It is that of the whole intent, which may have wanted more. It is `nil` of the past, as of a
  /// replay.
  ///
  /// - Complexity: O(records since it was wanted, of any account)
  public var receipt: IntentReceipt? {
    inbox.note.map { IntentReceipt(of: intent, in: $0) }
  }

  package init?(_ row: Row) {
    guard let intent = row[Operations.intent], let action = row[Operations.action],
      let state = row[Operations.state].flatMap(State.init)
    else { return nil }
    self.intent = RecordNumber(rawValue: UInt64(intent))
    kind = Kind(action, isTrue: row[Operations.isTrue] == true)
    id = row[Operations.item] ?? ""
    self.state = state
    reason =
      row[Operations.deferral].map(Reason.init) ?? row[Operations.rejection].map(Reason.init)
    attempts = row[Operations.attempts] ?? 0
    wasBegun = row[Operations.wasBegun] == true
    let moments = [row[Operations.heldUntil], row[Operations.deferredUntil]].compactMap(\.self)
    notBefore = moments.max().flatMap(Date.init(kept:))
  }
}

extension OpenOperation.State {
  /// The state of what the server has not done.
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
