package import EventStore

/// The fields shared by the rows of all object collections, with permanent numbers.
package enum InboxFields {
  static let account = Field<Int64>("account", 1)
  static let known = Field<Int64>("known", 2)
  package static let version = Field<Int>("version", 3)
  static let createdAt = Field<Timestamp>("createdAt", 4)
  static let updatedAt = Field<Timestamp>("updatedAt", 5)
  static let unknownFields = Field<TextReference>("unknownFields", 6)
  /// Why the object is hidden; absent if it is shown.
  static let hiding = Field<Hiding>("hiding", 7)
  /// The record that created the object, and what the device owns of it.
  static let making = Field<Making>("making", 8)
  /// The last record about the object other than an intent.
  static let told = Field<Mark>("told", 9)
  /// A digest of the last fact about the object.
  static let digest = Field<Mark>("digest", 10)
  /// The operations open on the object.
  static let overlay = Field<OverlayLink>("overlay", 11)

  /// All of these fields.
  static let all = [
    account.declaration, known.declaration, version.declaration, createdAt.declaration,
    updatedAt.declaration, unknownFields.declaration, hiding.declaration, making.declaration,
    told.declaration, digest.declaration, overlay.declaration,
  ]
}
