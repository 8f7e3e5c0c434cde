package import EventStore

/// The fields of accounts, numbered for ever.
package enum Accounts {
  static let serverID = Field<String>("serverID", 7)
  static let emailAddress = Field<String>("emailAddress", 8)
  static let foldedEmailAddress = Field<String>("foldedEmailAddress", 9)
  static let name = Field<String>("name", 10)
  static let foldedName = Field<String>("foldedName", 11)
  static let provider = Field<String>("provider", 12)
  static let status = Field<String>("status", 13)
  static let scope = Field<String>("scope", 14)
  static let lastSync = Field<Timestamp>("lastSync", 15)
  static let epoch = Field<Int>("epoch", 16)
  static let isLoggedIn = Field<Bool>("isLoggedIn", 17)
  static let isInboxEnabled = Field<Bool>("isInboxEnabled", 18)
  static let isBadgeOwn = Field<Bool>("isBadgeOwn", 19)

  /// The collection.
  package static let collection = RowCollection(
    "accounts", number: 1,
    fields: InboxFields.all + [
      serverID.declaration, emailAddress.declaration, foldedEmailAddress.declaration,
      name.declaration, foldedName.declaration, provider.declaration, status.declaration,
      scope.declaration, lastSync.declaration, epoch.declaration, isLoggedIn.declaration,
      isInboxEnabled.declaration, isBadgeOwn.declaration,
    ])
}
