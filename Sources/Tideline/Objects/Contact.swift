public import EventStore
public import Foundation

/// A person that the account knows.
public struct Contact: Model {
  /// The id assigned by the server, or a temporary one.
  public let id: String
  /// The number of the account that the object belongs to.
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
  /// The person's name.
  public var name: String?
  /// The person's address.
  public var email: String?
  /// The source of the contact.
  public var source: String?
  /// The provider that stores the contact.
  public var providerName: String?
  /// The server's id of the account that the contact belongs to.
  public var accountID: String?
  /// The id that the provider assigned to the contact.
  public var uid: String?
  /// The telephone numbers.
  public var phoneNumbers: Set<String> = []

  /// Creates a complete contact without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// Computed properties.
extension Contact {
  /// The name, or the address if the name is missing or empty, folded for ordering contacts.
  public var foldedName: FoldedText { FoldedText(name?.nonempty ?? email ?? "") }
  /// The address, folded for ordering and searching contacts.
  public var foldedEmail: FoldedText { FoldedText(email ?? "") }
}
