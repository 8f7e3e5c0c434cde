public import EventStore
public import Foundation

/// A person that the account knows.
public struct Contact: Model {
  /// The id that the server gave, or a temporary one.
  public let id: String
  /// The number of the account that it belongs to.
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
  /// The person's name.
  public var name: String?
  /// The person's address.
  public var email: String?
  /// Where the contact is from.
  public var source: String?
  /// Who keeps the contact.
  public var providerName: String?
  /// The id that the server gave the account that the contact is of.
  public var accountID: String?
  /// The id that whoever keeps the contact gave it.
  public var uid: String?
  /// The telephone numbers.
  public var phoneNumbers: Set<String> = []

  /// A contact without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// What is computed of the rest.
extension Contact {
  /// The name, or else, also where that is empty, the address, as contacts are ordered by.
  public var foldedName: FoldedText { FoldedText(name?.nonempty ?? email ?? "") }
  /// The address as contacts are ordered and found by.
  public var foldedEmail: FoldedText { FoldedText(email ?? "") }
}
