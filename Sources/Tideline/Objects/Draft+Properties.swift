public import EventStore
import Foundation

extension Draft {
  private typealias Fields = Messages

  /// The collection of messages.
  public static let collection = Fields.collection

  /// The rows of drafts.
  public static let scope = Fields.kind == .draft && InboxFields.hiding == nil

  /// Whether a row is a draft.
  public static func includes(_ row: Row) -> Bool {
    row[Fields.kind] == .draft && row[InboxFields.hiding] == nil
  }

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(\.serverID, Fields.serverID),
    ModelProperty(
      \.effectiveDate, always: Fields.effectiveDate, absent: Date(timeIntervalSince1970: 0)),
    ModelProperty(\.threadID, Fields.threadID),
    ModelProperty(\.subject, Fields.subject),
    ModelProperty(computed: \.foldedSubject, Fields.foldedSubject, absent: FoldedText("")),
    ModelProperty(\.snippet, Fields.snippet),
    ModelProperty(\.body, Fields.body),
    ModelProperty(\.date, Fields.date),
    ModelProperty(\.from, Fields.from, absent: []),
    ModelProperty(\.to, Fields.to, absent: []),
    ModelProperty(\.cc, Fields.cc, absent: []),
    ModelProperty(\.bcc, Fields.bcc, absent: []),
    ModelProperty(\.replyTo, Fields.replyTo, absent: []),
    ModelProperty(computed: \.addresses, Fields.addresses, absent: []),
    ModelProperty(\.tagIDs, Fields.tagIDs, absent: []),
    files,
    ModelProperty(\.isUnread, Fields.isUnread, absent: false),
    ModelProperty(\.isStarred, Fields.isStarred, absent: false),
    ModelProperty(\.state, Fields.state, absent: .unsent),
    ModelProperty(\.replyToMessageID, Fields.replyToMessageID),
  ]

  /// The file ids; reading them does not mark them as changed.
  private static var files: ModelProperty<Self> {
    let plain = ModelProperty<Self>(\.fileIDs, Fields.fileIDs, absent: [])
    return ModelProperty(
      keyPath: plain.keyPath, meaning: plain.meaning,
      read: { row, draft in
        plain.read(row, &draft)
        draft.filesAreSaid.note = false
      }, write: plain.write)
  }

  /// Sets the kind in addition to the properties.
  public func fill(_ row: inout MutableRow) {
    fillProperties(of: &row)
    row[Fields.kind] = .draft
  }
}
