package import EventStore

/// The fields of tags, numbered for ever.
package enum Tags {
  static let providedName = Field<String>("providedName", 7)
  static let foldedName = Field<String>("foldedName", 8)
  static let isReadOnly = Field<Bool>("isReadOnly", 9)
  static let unreadCount = Field<Int>("unreadCount", 10)
  static let threadCount = Field<Int>("threadCount", 11)

  /// The collection.
  package static let collection = RowCollection(
    "tags", number: 4,
    fields: InboxFields.all + [
      providedName.declaration, foldedName.declaration, isReadOnly.declaration,
      unreadCount.declaration, threadCount.declaration,
    ])
}
