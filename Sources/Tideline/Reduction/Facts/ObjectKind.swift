package import EventStore

/// How objects of a class are kept: in which rows, and what facts write into these.
package final class ObjectKind: Sendable {
  /// What they are.
  package let objectClass: ObjectClass
  /// Where they are kept.
  package let collection: RowCollection
  /// Where the base is kept while something is open, of objects whose fields operations change.
  let bases: RowCollection?
  /// What each field of a fact is written as, by the field's number.
  let columns: [FactColumn?]
  /// The fields that only refer to a text.
  let references: FieldBits
  /// The field for the id that a server gave later.
  let serverID: Field<String>?

  init(
    _ objectClass: ObjectClass, _ collection: RowCollection, bases: RowCollection? = nil,
    serverID: Field<String>? = nil, _ columns: [ObjectField: FactColumn]
  ) {
    self.objectClass = objectClass
    self.collection = collection
    self.bases = bases
    self.serverID = serverID
    var table = [FactColumn?](repeating: nil, count: ObjectField.deepLink.rawValue + 1)
    for (field, column) in Self.common.merging(columns, uniquingKeysWith: { $1 }) {
      table[field.rawValue] = column
    }
    self.columns = table
    references = table.reduce(0) { bits, column in
      if case .reference(let field)? = column { bits | field.bit } else { bits }
    }
  }

  private static let common: [ObjectField: FactColumn] = [
    .version: .version(InboxFields.version),
    .unknown: .reference(InboxFields.unknownFields),
    .createdAt: .time(InboxFields.createdAt),
    .updatedAt: .time(InboxFields.updatedAt),
  ]

  /// The kind of objects of a class, or `nil` for a class that nothing is kept of.
  package static func of(_ objectClass: ObjectClass) -> ObjectKind? {
    switch objectClass {
    case .account, .other: nil
    case .thread: .thread
    case .message, .draft: .message
    case .tag: .tag
    case .contact: .contact
    case .file: .file
    case .rich: .rich
    }
  }

  /// The kind of what facts of a class say something of: objects, and the account itself.
  static func told(_ objectClass: ObjectClass) -> ObjectKind? {
    objectClass == .account ? .account : of(objectClass)
  }

  /// The kinds of objects that an account has.
  static let all = [thread, message, tag, contact, file, rich]
}

extension ObjectKind {
  static let account = ObjectKind(
    .account, Accounts.collection,
    [
      .id: .text(Accounts.serverID), .email: .text(Accounts.emailAddress),
      .name: .text(Accounts.name), .provider: .text(Accounts.provider),
      .status: .text(Accounts.status), .scope: .text(Accounts.scope),
      .lastSync: .time(Accounts.lastSync),
    ])

  /// The kind of that class.
  package static let thread = ObjectKind(
    .thread, Threads.collection, bases: Bases.threads,
    [
      .subject: .text(Threads.subject), .snippet: .snippet(Threads.snippet),
      .participants: .people(Threads.participants),
      .lastMessageDate: .time(Threads.lastMessageDate),
      .firstMessageDate: .time(Threads.firstMessageDate),
      .lastReceivedDate: .time(Threads.lastMessageReceivedDate),
      .lastSentDate: .time(Threads.lastMessageSentDate),
      .tags: .tags(Threads.tagIDs), .labels: .labels(Threads.tagIDs),
      .folders: .labels(Threads.tagIDs), .isUnread: .tag("unread", Threads.tagIDs),
      .isStarred: .tag("starred", Threads.tagIDs), .messageIDs: .ids(Threads.messageIDs),
      .draftIDs: .ids(Threads.draftIDs), .hasAttachments: .flag(Threads.hasAttachments),
    ])

  /// The kind of that class.
  package static let message = ObjectKind(
    .message, Messages.collection, bases: Bases.messages, serverID: Messages.serverID,
    [
      .thread: .text(Messages.threadID), .subject: .text(Messages.subject),
      .snippet: .snippet(Messages.snippet), .body: .reference(Messages.body),
      .date: .time(Messages.date), .from: .people(Messages.from), .to: .people(Messages.to),
      .cc: .people(Messages.cc), .bcc: .people(Messages.bcc),
      .replyTo: .people(Messages.replyTo), .tags: .labels(Messages.tagIDs),
      .labels: .labels(Messages.tagIDs), .folders: .labels(Messages.tagIDs),
      .fileIDs: .ids(Messages.fileIDs), .files: .files(Messages.fileIDs),
      .isUnread: .flag(Messages.isUnread), .isStarred: .flag(Messages.isStarred),
      .state: .state(Messages.state), .repliedMessage: .text(Messages.replyToMessageID),
    ])

  /// The kind of that class.
  package static let tag = ObjectKind(
    .tag, Tags.collection, bases: Bases.tags, serverID: Tags.serverID,
    [
      .name: .text(Tags.providedName), .isReadOnly: .flag(Tags.isReadOnly),
      .unreadCount: .number(Tags.unreadCount), .threadCount: .number(Tags.threadCount),
    ])

  /// The kind of that class.
  package static let contact = ObjectKind(
    .contact, Contacts.collection,
    [
      .name: .text(Contacts.name), .email: .text(Contacts.email),
      .source: .text(Contacts.source), .provider: .text(Contacts.providerName),
      .namespace: .text(Contacts.accountID), .uid: .text(Contacts.uid),
      .phoneNumbers: .ids(Contacts.phoneNumbers),
    ])

  /// The kind of that class.
  package static let file = ObjectKind(
    .file, Attachments.collection, bases: Bases.files, serverID: Attachments.serverID,
    [
      .filename: .text(Attachments.filename), .contentType: .text(Attachments.contentType),
      .size: .number(Attachments.size), .contentID: .text(Attachments.contentID),
      .messageIDs: .ids(Attachments.messageIDs),
    ])

  /// The kind of that class.
  package static let rich = ObjectKind(
    .rich, RichMessages.collection, bases: Bases.rich,
    [
      .subject: .text(RichMessages.subject), .title: .text(RichMessages.title),
      .subtitle: .text(RichMessages.subtitle), .alert: .text(RichMessages.alert),
      .name: .text(RichMessages.name), .url: .text(RichMessages.url),
      .sound: .text(RichMessages.sound), .mediaURL: .text(RichMessages.mediaURL),
      .mediaText: .text(RichMessages.mediaAlternativeText),
      .iconURL: .text(RichMessages.iconURL), .messageLink: .text(RichMessages.messageLink),
      .deepLink: .text(RichMessages.deepLink), .body: .reference(RichMessages.content),
      .custom: .reference(RichMessages.custom), .customKeys: .reference(RichMessages.customKeys),
      .summary: .text(RichMessages.summary), .date: .time(RichMessages.sendDateUtc),
      .startDate: .time(RichMessages.startDateUtc), .endDate: .time(RichMessages.endDateUtc),
      .inboxMessageType: .number(RichMessages.messageType),
      .inboxMessage: .text(RichMessages.inboxMessage),
      .inboxSubtitle: .text(RichMessages.inboxSubtitle),
      .notificationMessage: .text(RichMessages.notificationMessage),
      .isRead: .flag(RichMessages.isRead), .isUnread: .opposite(RichMessages.isRead),
      .isDeleted: .flag(RichMessages.isDeleted),
      .requestID: .text(RichMessages.requestID), .messageHash: .text(RichMessages.messageHash),
    ])
}
