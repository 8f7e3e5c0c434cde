package import EventStore

/// The fields of tags, numbered for ever.
package enum Tags {
  static let providedName = Field<String>("providedName", 12)
  static let foldedName = Field<String>("foldedName", 13)
  static let isReadOnly = Field<Bool>("isReadOnly", 14)
  static let unreadCount = Field<Int>("unreadCount", 15)
  static let threadCount = Field<Int>("threadCount", 16)
  static let serverID = Field<String>("serverID", 17)

  /// The ids of the tags that every mailbox has, and that mean the same in each.
  package static let shared: Set<String> = [
    "inbox", "unread", "unseen", "starred", "archive", "trash", "sent", "drafts", "draft", "spam",
    "junk", "important", "all",
  ]

  /// The collection.
  package static let collection = RowCollection(
    "tags", number: 4,
    fields: InboxFields.all + [
      providedName.declaration, foldedName.declaration, isReadOnly.declaration,
      unreadCount.declaration, threadCount.declaration, serverID.declaration,
    ])
}
