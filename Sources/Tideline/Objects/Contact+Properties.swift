public import EventStore
import Foundation

extension Contact {
  private typealias Fields = Contacts

  /// The collection of contacts.
  public static let collection = Fields.collection

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(\.name, Fields.name),
    ModelProperty(computed: \.foldedName, Fields.foldedName, absent: FoldedText("")),
    ModelProperty(\.email, Fields.email),
    ModelProperty(computed: \.foldedEmail, Fields.foldedEmail, absent: FoldedText("")),
    ModelProperty(\.source, Fields.source),
    ModelProperty(\.providerName, Fields.providerName),
    ModelProperty(\.accountID, Fields.accountID),
    ModelProperty(\.uid, Fields.uid),
    ModelProperty(\.phoneNumbers, Fields.phoneNumbers, absent: []),
  ]
}
