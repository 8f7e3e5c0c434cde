package import EventStore

/// The fields of contacts, numbered for ever.
package enum Contacts {
  static let name = Field<String>("name", 7)
  static let foldedName = Field<String>("foldedName", 8)
  static let email = Field<String>("email", 9)
  static let foldedEmail = Field<String>("foldedEmail", 10)
  static let source = Field<String>("source", 11)
  static let providerName = Field<String>("providerName", 12)
  static let accountID = Field<String>("accountID", 13)
  static let uid = Field<String>("uid", 14)
  static let phoneNumbers = Field<Set<String>>("phoneNumbers", 15)

  /// The collection.
  package static let collection = RowCollection(
    "contacts", number: 5,
    fields: InboxFields.all + [
      name.declaration, foldedName.declaration, email.declaration, foldedEmail.declaration,
      source.declaration, providerName.declaration, accountID.declaration, uid.declaration,
      phoneNumbers.declaration,
    ])
}
