public import EventStore

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

  /// The record that says so.
  public let intent: RecordNumber
  /// What was wanted.
  public let kind: Kind
  /// The object's id.
  public let id: String
  /// Whether it was begun, so that the server may have done it.
  public let wasBegun: Bool

  init?(_ row: Row) {
    guard let intent = row[Operations.intent], let action = row[Operations.action] else {
      return nil
    }
    self.intent = RecordNumber(rawValue: UInt64(intent))
    kind = Kind(action, isTrue: row[Operations.isTrue] == true)
    id = row[Operations.item] ?? ""
    wasBegun = row[Operations.wasBegun] == true
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
