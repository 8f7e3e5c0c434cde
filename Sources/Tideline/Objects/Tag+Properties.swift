public import EventStore
import Foundation

extension Tag {
  private typealias Fields = Tags

  /// The collection of tags.
  public static let collection = Fields.collection

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(\.serverID, Fields.serverID),
    ModelProperty(\.providedName, Fields.providedName),
    ModelProperty(computed: \.foldedName, Fields.foldedName, absent: FoldedText("")),
    ModelProperty(\.isReadOnly, Fields.isReadOnly, absent: false),
    ModelProperty(\.unreadCount, Fields.unreadCount),
    ModelProperty(\.threadCount, Fields.threadCount),
  ]
}
