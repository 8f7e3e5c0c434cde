import EventStore

/// The fields that rows of every collection have, numbered for ever.
package enum InboxFields {
  static let account = Field<Int64>("account", 1)
  static let known = Field<Int64>("known", 2)
  static let version = Field<Int>("version", 3)
  static let createdAt = Field<Timestamp>("createdAt", 4)
  static let updatedAt = Field<Timestamp>("updatedAt", 5)
  static let unknownFields = Field<TextReference>("unknownFields", 6)

  /// All of these.
  static let all = [
    account.declaration, known.declaration, version.declaration, createdAt.declaration,
    updatedAt.declaration, unknownFields.declaration,
  ]
}
