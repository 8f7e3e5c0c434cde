package import EventStore

/// The fields that rows of every collection of objects have, numbered for ever.
package enum InboxFields {
  static let account = Field<Int64>("account", 1)
  static let known = Field<Int64>("known", 2)
  package static let version = Field<Int>("version", 3)
  static let createdAt = Field<Timestamp>("createdAt", 4)
  static let updatedAt = Field<Timestamp>("updatedAt", 5)
  static let unknownFields = Field<TextReference>("unknownFields", 6)
  /// Why it is not shown; none where it is.
  static let hiding = Field<Hiding>("hiding", 7)
  /// The record that made it, and what the device owns of it.
  static let making = Field<Making>("making", 8)
  /// The last record about it that was no intent.
  static let told = Field<Mark>("told", 9)
  /// What the last fact about it said, in short.
  static let digest = Field<Mark>("digest", 10)
  /// What is open on it.
  static let overlay = Field<OverlayLink>("overlay", 11)

  /// All of these.
  static let all = [
    account.declaration, known.declaration, version.declaration, createdAt.declaration,
    updatedAt.declaration, unknownFields.declaration, hiding.declaration, making.declaration,
    told.declaration, digest.declaration, overlay.declaration,
  ]
}
