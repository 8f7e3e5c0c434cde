public import EventStore
public import Foundation

/// An account: what one person has at one server, over all logins.
public struct Account: Model {
  /// The account's number, as text.
  public var id: String { String(account) }
  /// The account's number.
  public let account: UInt32
  /// The fields that some source has told of; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, where it counts them.
  public var version: Int?
  /// When the server made the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// What the server said beyond the other properties, as JSON.
  public var unknownFields: TextReference?
  /// Who is logged in, or was: an address, an alias, a contact's key; empty for somebody without a
  /// name.
  public var person: String?
  /// At which of the app's servers that is, as the login said; `nil` where it named none.
  public var server: String?
  /// The id that the server gave the account.
  public var serverID: String?
  /// The account's address.
  public var emailAddress: String?
  /// The person's name.
  public var name: String?
  /// Who keeps the account's mail.
  public var provider: String?
  /// What state the server says that the account is in.
  public var status: String?
  /// What the login is allowed.
  public var scope: String?
  /// When the server last looked for new mail.
  public var lastSync: Date?
  /// Which login of the account this is, counted from 1.
  public var epoch: Int?
  /// Whether somebody is logged in.
  public var isLoggedIn: Bool = false
  /// Whether the rich inbox is switched on.
  public var isInboxEnabled: Bool = true
  /// Whether the app itself sets its badge.
  public var ownsBadge: Bool = false
  /// What may be done with the person's data.
  public var privacy: PrivacyMode = .unrestricted

  /// An account without values; its number is its id as well.
  public init(id: String, account: UInt32) { self.account = account }
}

// What is computed of the rest.
extension Account {
  /// The address as accounts are ordered and found by.
  public var foldedEmailAddress: FoldedText { FoldedText(emailAddress ?? "") }
  /// The name as accounts are ordered by.
  public var foldedName: FoldedText { FoldedText(name ?? "") }
}
