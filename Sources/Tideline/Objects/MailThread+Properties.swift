public import EventStore
import Foundation

extension MailThread {
  private typealias Fields = Threads

  /// The collection of threads.
  public static let collection = Fields.collection

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(
      \.effectiveDate, always: Fields.effectiveDate, absent: Date(timeIntervalSince1970: 0)),
    ModelProperty(\.subject, Fields.subject),
    ModelProperty(computed: \.foldedSubject, Fields.foldedSubject, absent: FoldedText("")),
    ModelProperty(\.snippet, Fields.snippet),
    ModelProperty(\.participants, Fields.participants, absent: []),
    ModelProperty(computed: \.addresses, Fields.addresses, absent: []),
    ModelProperty(\.lastMessageDate, Fields.lastMessageDate),
    ModelProperty(\.firstMessageDate, Fields.firstMessageDate),
    ModelProperty(\.lastMessageReceivedDate, Fields.lastMessageReceivedDate),
    ModelProperty(\.lastMessageSentDate, Fields.lastMessageSentDate),
    ModelProperty(\.tagIDs, Fields.tagIDs, absent: []),
    ModelProperty(\.messageIDs, Fields.messageIDs, absent: []),
    ModelProperty(\.draftIDs, Fields.draftIDs, absent: []),
    ModelProperty(\.hasAttachments, Fields.hasAttachments, absent: false),
    ModelProperty(computed: \.isUnread, where: Fields.tagIDs.contains("unread")),
    ModelProperty(computed: \.isStarred, where: Fields.tagIDs.contains("starred")),
  ]
}
