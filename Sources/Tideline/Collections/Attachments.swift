package import EventStore

/// The fields of files, numbered for ever.
package enum Attachments {
  static let filename = Field<String>("filename", 7)
  static let foldedFilename = Field<String>("foldedFilename", 8)
  static let contentType = Field<String>("contentType", 9)
  static let size = Field<Int>("size", 10)
  static let contentID = Field<String>("contentID", 11)
  static let messageIDs = Field<Set<String>>("messageIDs", 12)
  static let localPath = Field<String>("localPath", 13)

  /// The collection.
  package static let collection = RowCollection(
    "files", number: 6,
    fields: InboxFields.all + [
      filename.declaration, foldedFilename.declaration, contentType.declaration, size.declaration,
      contentID.declaration, messageIDs.declaration, localPath.declaration,
    ])
}
