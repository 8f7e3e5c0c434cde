public import EventStore
import Foundation

extension Message {
  private typealias Fields = Messages

  /// The collection of messages.
  public static let collection = Fields.collection

  /// The rows of messages.
  public static let scope = Fields.kind == .message && InboxFields.hiding == nil

  /// Whether a row is a message.
  public static func includes(_ row: Row) -> Bool {
    row[Fields.kind] == .message && row[InboxFields.hiding] == nil
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
    ModelProperty(\.fileIDs, Fields.fileIDs, absent: []),
    ModelProperty(\.isUnread, Fields.isUnread, absent: false),
    ModelProperty(\.isStarred, Fields.isStarred, absent: false),
  ]

  /// Sets the kind in addition to the properties.
  public func fill(_ row: inout MutableRow) {
    fillProperties(of: &row)
    row[Fields.kind] = .message
  }
}
