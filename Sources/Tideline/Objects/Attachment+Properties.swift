public import EventStore
import Foundation

extension Attachment {
  private typealias Fields = Attachments

  /// The collection of files.
  public static let collection = Fields.collection

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(\.serverID, Fields.serverID),
    ModelProperty(\.filename, Fields.filename),
    ModelProperty(computed: \.foldedFilename, Fields.foldedFilename, absent: FoldedText("")),
    ModelProperty(\.contentType, Fields.contentType),
    ModelProperty(\.size, Fields.size),
    ModelProperty(\.contentID, Fields.contentID),
    ModelProperty(\.messageIDs, Fields.messageIDs, absent: []),
    ModelProperty(\.localPath, Fields.localPath),
  ]
}
