public import EventStore
import Foundation

extension Account {
  private typealias Fields = Accounts

  /// The collection of accounts.
  public static let collection = Fields.collection

  /// The properties and the fields that hold them.
  public static let properties: [ModelProperty<Self>] = [
    ModelProperty(computed: \.account, InboxFields.account, absent: 0),
    ModelProperty(\.version, InboxFields.version),
    ModelProperty(\.createdAt, InboxFields.createdAt),
    ModelProperty(\.updatedAt, InboxFields.updatedAt),
    ModelProperty(\.unknownFields, InboxFields.unknownFields),
    ModelProperty(\.person, Fields.person),
    ModelProperty(\.server, Fields.server),
    ModelProperty(\.serverID, Fields.serverID),
    ModelProperty(\.emailAddress, Fields.emailAddress),
    ModelProperty(
      computed: \.foldedEmailAddress, Fields.foldedEmailAddress, absent: FoldedText("")),
    ModelProperty(\.name, Fields.name),
    ModelProperty(computed: \.foldedName, Fields.foldedName, absent: FoldedText("")),
    ModelProperty(\.provider, Fields.provider),
    ModelProperty(\.status, Fields.status),
    ModelProperty(\.scope, Fields.scope),
    ModelProperty(\.lastSync, Fields.lastSync),
    ModelProperty(\.epoch, Fields.epoch),
    ModelProperty(\.isLoggedIn, Fields.isLoggedIn, absent: false),
    ModelProperty(\.isInboxEnabled, Fields.isInboxEnabled, absent: true),
    ModelProperty(\.ownsBadge, Fields.ownsBadge, absent: false),
    ModelProperty(\.privacy, Fields.privacy, absent: .unrestricted),
  ]

  /// Returns the account number that makes up the whole row id, or `nil` if the id is not a number.
  public static func name(of rowID: String) -> (account: UInt32, id: String)? {
    UInt32(canonical: rowID).map { ($0, rowID) }
  }

  /// The id alone, without a prefix.
  public var rowID: String { id }
}
