public import EventStore
public import Foundation

/// An account: one person's data at one server, across all logins.
public struct Account: Model {
  /// The account's number, as text.
  public var id: String { String(account) }
  /// The account's number.
  public let account: UInt32
  /// The fields reported by some source; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, if the server counts versions.
  public var version: Int?
  /// When the server created the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// Data from the server that no other property holds, as JSON.
  public var unknownFields: TextReference?
  /// The person who is or was logged in: an address, an alias or a contact key; empty for an
  /// anonymous person.
  public var person: String?
  /// The app's own name for the server that the person logged in to; `nil` if the login gave none.
  public var server: String?
  /// The id that the server assigned to the account.
  public var serverID: String?
  /// The account's address.
  public var emailAddress: String?
  /// The person's name.
  public var name: String?
  /// The provider that hosts the account's mail.
  public var provider: String?
  /// The account's state, as reported by the server.
  public var status: String?
  /// What the login is permitted to do.
  public var scope: String?
  /// When the server last checked for new mail.
  public var lastSync: Date?
  /// The number of the current or latest login; it grows with each login of the account.
  public var epoch: Int?
  /// Whether a person is logged in.
  public var isLoggedIn: Bool = false
  /// Whether the rich inbox is switched on.
  public var isInboxEnabled: Bool = true
  /// Whether the app itself sets its icon badge.
  public var ownsBadge: Bool = false
  /// What may be done with the person's data.
  public var privacy: PrivacyMode = .unrestricted

  /// Creates an account without values; its number is also its id.
  public init(id: String, account: UInt32) { self.account = account }
}

// Computed properties.
extension Account {
  /// The address, folded for ordering and searching accounts.
  public var foldedEmailAddress: FoldedText { FoldedText(emailAddress ?? "") }
  /// The name, folded for ordering accounts.
  public var foldedName: FoldedText { FoldedText(name ?? "") }
}
