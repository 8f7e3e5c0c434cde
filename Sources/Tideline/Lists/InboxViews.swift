package import EventStore

/// The views that every inbox has.
package enum InboxViews {
  /// Accounts, by number.
  package static let accounts = "accounts"
  /// Threads with a tag, newest first.
  package static let threadsByTag = "threads by tag"
  /// Unread threads in the inbox, newest first.
  package static let unreadInbox = "unread inbox"
  /// Messages of a thread, oldest first.
  package static let messagesOfThread = "messages of thread"
  /// Messages of a thread whose base is stored apart from what is visible, hidden or not.
  static let openMessagesOfThread = "open messages of thread"
  /// Unread messages, newest first.
  package static let unreadMessages = "unread messages"
  /// Messages with a tag of their own, newest first.
  package static let messagesByTag = "messages by tag"
  /// Messages from or to an address, newest first.
  package static let messagesByAddress = "messages by address"
  /// Drafts, newest first.
  package static let drafts = "drafts"
  /// Contacts, by name.
  package static let contacts = "contacts"
  /// Contacts with an address, by name.
  package static let contactsByAddress = "contacts by address"
  /// Tags, by name.
  package static let tags = "tags"
  /// Files, by name.
  package static let files = "files"
  /// Rich messages of an account that are active and not deleted, newest first.
  package static let allRich = "rich messages"
  /// Rich messages that are active, unread and not deleted, newest first.
  package static let unreadRich = "unread rich messages"
  /// Rich messages that are active, read and not deleted, newest first.
  package static let readRich = "read rich messages"
  /// Rich messages that are active and deleted, newest first.
  package static let deletedRich = "deleted rich messages"
  /// Timers, earliest first.
  package static let timers = "timers"
  /// Tombstones of deletions by the server, which expire, oldest first.
  static let fadingTombstones = "fading tombstones"
  /// Operations, by intent, earliest first.
  package static let outbox = "outbox"
  /// Operations that the server has neither done nor refused.
  package static let unsent = "unsent"
  /// Operations of one intent.
  package static let operationsOfIntent = "operations of intent"

  /// All views.
  package static let all: [ViewDefinition] =
    mail + [
      ViewDefinition(
        accounts, of: Accounts.collection, orderedBy: [InboxFields.account.ascending]),
      rich(allRich, where: isThere && RichMessages.isDeleted != true),
      rich(
        unreadRich,
        where: isThere && RichMessages.isDeleted != true && RichMessages.isRead != true),
      rich(
        readRich,
        where: isThere && RichMessages.isDeleted != true && RichMessages.isRead == true),
      rich(deletedRich, where: isThere && RichMessages.isDeleted == true),
      ViewDefinition(timers, of: Timers.collection, orderedBy: [Timers.due.ascending]),
      ViewDefinition(
        fadingTombstones, of: Tombstones.collection, where: Tombstones.isOwn != true,
        orderedBy: [Tombstones.deletedAt.ascending]
      ).grouped(by: Tombstones.account),
      ViewDefinition(outbox, of: Operations.collection, orderedBy: inOrder),
      ViewDefinition(
        unsent, of: Operations.collection,
        where: Operations.state != .acknowledged && Operations.state != .rejected,
        orderedBy: inOrder
      ).grouped(by: Operations.account),
      ViewDefinition(operationsOfIntent, of: Operations.collection, orderedBy: inOrder)
        .grouped(by: Operations.intent),
    ]

  /// The order in which operations were opened; an intent may cover very many objects.
  static let inOrder = [Operations.intent.ascending, Operations.ordinal.ascending]

  private static let isShown = InboxFields.hiding == nil
  private static let isThere = isShown && RichMessages.isActive != false

  private static func rich(_ name: String, where condition: Condition) -> ViewDefinition {
    ViewDefinition(
      name, of: RichMessages.collection, where: condition,
      orderedBy: [RichMessages.effectiveDate.descending]
    ).grouped(by: InboxFields.account)
  }

  private static let isMessage = isShown && Messages.kind == .message

  private static let mail = [
    ViewDefinition(
      threadsByTag, of: Threads.collection, where: isShown,
      orderedBy: [Threads.effectiveDate.descending]
    ).grouped(by: Threads.tagIDs).within(InboxFields.account),
    ViewDefinition(
      unreadInbox, of: Threads.collection,
      where: isShown && Threads.tagIDs.contains("inbox") && Threads.tagIDs.contains("unread"),
      orderedBy: [Threads.effectiveDate.descending]
    ).grouped(by: InboxFields.account),
    ViewDefinition(
      messagesOfThread, of: Messages.collection, where: isMessage,
      orderedBy: [Messages.effectiveDate.ascending]
    ).grouped(by: Messages.threadID).within(InboxFields.account),
    ViewDefinition(
      openMessagesOfThread, of: Bases.messages, where: Messages.kind == .message,
      orderedBy: [Messages.effectiveDate.ascending]
    ).grouped(by: Messages.threadID).within(InboxFields.account),
    ViewDefinition(
      unreadMessages, of: Messages.collection, where: isMessage && Messages.isUnread == true,
      orderedBy: [Messages.effectiveDate.descending]
    ).grouped(by: InboxFields.account),
    ViewDefinition(
      messagesByTag, of: Messages.collection, where: isMessage,
      orderedBy: [Messages.effectiveDate.descending]
    ).grouped(by: Messages.tagIDs).within(InboxFields.account),
    ViewDefinition(
      messagesByAddress, of: Messages.collection, where: isMessage,
      orderedBy: [Messages.effectiveDate.descending]
    ).grouped(by: Messages.addresses).within(InboxFields.account),
    ViewDefinition(
      drafts, of: Messages.collection, where: isShown && Messages.kind == .draft,
      orderedBy: [Messages.effectiveDate.descending]
    ).grouped(by: InboxFields.account),
    ViewDefinition(
      contacts, of: Contacts.collection, where: isShown,
      orderedBy: [Contacts.foldedName.ascending]
    ).grouped(by: InboxFields.account),
    ViewDefinition(
      contactsByAddress, of: Contacts.collection, where: isShown,
      orderedBy: [Contacts.foldedName.ascending]
    ).grouped(by: Contacts.foldedEmail).within(InboxFields.account),
    ViewDefinition(
      tags, of: Tags.collection, where: isShown, orderedBy: [Tags.foldedName.ascending]
    ).grouped(by: InboxFields.account),
    ViewDefinition(
      files, of: Attachments.collection, where: isShown,
      orderedBy: [Attachments.foldedFilename.ascending]
    ).grouped(by: InboxFields.account),
  ]
}
