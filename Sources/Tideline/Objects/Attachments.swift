package import EventStore

/// The fields of files, with permanent numbers.
package enum Attachments {
  static let filename = Field<String>("filename", 12)
  static let foldedFilename = Field<String>("foldedFilename", 13)
  static let contentType = Field<String>("contentType", 14)
  static let size = Field<Int>("size", 15)
  static let contentID = Field<String>("contentID", 16)
  static let messageIDs = Field<Set<String>>("messageIDs", 17)
  static let localPath = Field<String>("localPath", 18)
  static let serverID = Field<String>("serverID", 19)

  /// The collection.
  package static let collection = RowCollection(
    "files", number: 6,
    fields: InboxFields.all + [
      filename.declaration, foldedFilename.declaration, contentType.declaration, size.declaration,
      contentID.declaration, messageIDs.declaration, localPath.declaration, serverID.declaration,
    ])
}

extension ObjectKind {
  /// How files map to rows.
  package static let file = ObjectKind(
    .file, Attachments.collection, bases: Bases.files, serverID: Attachments.serverID,
    [
      .filename: .text(Attachments.filename), .contentType: .text(Attachments.contentType),
      .size: .number(Attachments.size), .contentID: .text(Attachments.contentID),
      .messageIDs: .ids(Attachments.messageIDs),
    ]
  ) { row, said in
    row.fold(Attachments.filename, into: Attachments.foldedFilename, said)
  }
}
