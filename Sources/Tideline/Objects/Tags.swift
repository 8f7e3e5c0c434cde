package import EventStore

/// The fields of tags, with permanent numbers.
package enum Tags {
  static let providedName = Field<String>("providedName", 12)
  static let foldedName = Field<String>("foldedName", 13)
  static let isReadOnly = Field<Bool>("isReadOnly", 14)
  static let unreadCount = Field<Int>("unreadCount", 15)
  static let threadCount = Field<Int>("threadCount", 16)
  static let serverID = Field<String>("serverID", 17)

  /// The ids of tags that every mailbox has and that mean the same in all of them.
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

extension ObjectKind {
  /// How tags map to rows.
  package static let tag = ObjectKind(
    .tag, Tags.collection, bases: Bases.tags, serverID: Tags.serverID,
    [
      .name: .text(Tags.providedName), .isReadOnly: .flag(Tags.isReadOnly),
      .unreadCount: .number(Tags.unreadCount), .threadCount: .number(Tags.threadCount),
    ]
  ) { row, _ in row.foldNameOfTag() }
}

extension MutableRow {
  /// Stores the folded name for ordering: the name, or the id if the name is missing or empty.
  mutating func foldNameOfTag() {
    let name = self[Tags.providedName]?.nonempty ?? Tag.name(of: id)?.id ?? ""
    self[Tags.foldedName] = FoldedText(name).text
  }
}
