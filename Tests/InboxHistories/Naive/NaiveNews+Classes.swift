import EventStore
import Tideline

extension NaiveNews {
  /// Returns the fields of a class that properties depend on.
  static func fields(of objectClass: ObjectClass) -> [ObjectField] {
    [.createdAt, .updatedAt, .unknown] + own(objectClass)
  }

  private static func own(_ objectClass: ObjectClass) -> [ObjectField] {
    switch objectClass {
    case .account: [.name, .email, .provider, .status, .scope, .lastSync]
    case .thread:
      [
        .subject, .snippet, .participants, .lastMessageDate, .firstMessageDate, .lastReceivedDate,
        .lastSentDate, .tags, .labels, .folders, .messageIDs, .draftIDs, .hasAttachments,
        .isUnread, .isStarred,
      ]
    case .message: letter
    case .draft: letter + [.state, .repliedMessage]
    case .tag: [.name, .isReadOnly, .unreadCount, .threadCount]
    case .contact: [.name, .email, .source, .provider, .namespace, .uid, .phoneNumbers]
    case .file: [.filename, .contentType, .size, .contentID, .messageIDs]
    case .rich: rich
    case .other: []
    }
  }

  private static let letter: [ObjectField] = [
    .thread, .subject, .snippet, .body, .date, .from, .to, .cc, .bcc, .replyTo, .labels, .folders,
    .fileIDs, .files, .isUnread, .isStarred,
  ]

  private static let rich: [ObjectField] = [
    .subject, .title, .subtitle, .alert, .name, .url, .sound, .mediaURL, .mediaText, .iconURL,
    .messageLink, .deepLink, .body, .custom, .customKeys, .summary, .date, .startDate, .endDate,
    .inboxMessageType, .inboxMessage, .inboxSubtitle, .notificationMessage, .isRead, .isDeleted,
    .requestID, .messageHash, .keys,
  ]

  /// Returns the bits of these fields for a class (10).
  static func bits(_ fields: Set<ObjectField>, _ objectClass: ObjectClass) -> Int64 {
    let declared = collection(objectClass).fields
    let names = Set(fields.map { name($0, objectClass) })
    return declared.filter { names.contains($0.name) }
      .reduce(0) { $0 | Int64(1) << Int64($1.number - 1) }
  }

  private static func collection(_ objectClass: ObjectClass) -> RowCollection {
    switch objectClass {
    case .account: Account.collection
    case .thread: MailThread.collection
    case .message, .draft, .other: Message.collection
    case .tag: Tag.collection
    case .contact: Contact.collection
    case .file: Attachment.collection
    case .rich: RichMessage.collection
    }
  }

  /// Returns the name of a field's property.
  private static func name(_ field: ObjectField, _ objectClass: ObjectClass) -> String {
    switch (field, objectClass) {
    case (.unknown, _): "unknownFields"
    case (.email, .account): "emailAddress"
    case (.lastReceivedDate, _): "lastMessageReceivedDate"
    case (.lastSentDate, _): "lastMessageSentDate"
    case (.tags, _), (.labels, _), (.folders, _): "tagIDs"
    case (.isUnread, .thread), (.isStarred, .thread): "tagIDs"
    case (.files, _): "fileIDs"
    case (.thread, _): "threadID"
    case (.repliedMessage, _): "replyToMessageID"
    case (.name, .tag): "providedName"
    case (.provider, .contact): "providerName"
    case (.namespace, .contact): "accountID"
    case (.mediaText, _): "mediaAlternativeText"
    case (.body, .rich): "content"
    case (.date, .rich): "sendDateUtc"
    case (.startDate, _): "startDateUtc"
    case (.endDate, _): "endDateUtc"
    case (.inboxMessageType, _): "messageType"
    default: field.name
    }
  }
}
