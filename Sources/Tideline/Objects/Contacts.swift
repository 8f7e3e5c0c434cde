package import EventStore

/// The fields of contacts, with permanent numbers.
package enum Contacts {
  static let name = Field<String>("name", 12)
  static let foldedName = Field<String>("foldedName", 13)
  static let email = Field<String>("email", 14)
  static let foldedEmail = Field<String>("foldedEmail", 15)
  static let source = Field<String>("source", 16)
  static let providerName = Field<String>("providerName", 17)
  static let accountID = Field<String>("accountID", 18)
  static let uid = Field<String>("uid", 19)
  static let phoneNumbers = Field<Set<String>>("phoneNumbers", 20)

  /// The collection.
  package static let collection = RowCollection(
    "contacts", number: 5,
    fields: InboxFields.all + [
      name.declaration, foldedName.declaration, email.declaration, foldedEmail.declaration,
      source.declaration, providerName.declaration, accountID.declaration, uid.declaration,
      phoneNumbers.declaration,
    ])
}

extension ObjectKind {
  /// How contacts map to rows.
  package static let contact = ObjectKind(
    .contact, Contacts.collection,
    [
      .name: .text(Contacts.name), .email: .text(Contacts.email),
      .source: .text(Contacts.source), .provider: .text(Contacts.providerName),
      .namespace: .text(Contacts.accountID), .uid: .text(Contacts.uid),
      .phoneNumbers: .ids(Contacts.phoneNumbers),
    ]
  ) { row, said in
    row.foldNameOfContact()
    row.fold(Contacts.email, into: Contacts.foldedEmail, said)
  }
}

extension MutableRow {
  /// Stores the folded name for ordering: the name, or the address if the name is missing or empty.
  fileprivate mutating func foldNameOfContact() {
    let name = self[Contacts.name]?.nonempty ?? self[Contacts.email] ?? ""
    self[Contacts.foldedName] = FoldedText(name).text
  }
}
