package import EventStore

/// The fields of accounts, with permanent numbers.
package enum Accounts {
  static let serverID = Field<String>("serverID", 12)
  static let emailAddress = Field<String>("emailAddress", 13)
  static let foldedEmailAddress = Field<String>("foldedEmailAddress", 14)
  static let name = Field<String>("name", 15)
  static let foldedName = Field<String>("foldedName", 16)
  static let provider = Field<String>("provider", 17)
  static let status = Field<String>("status", 18)
  static let scope = Field<String>("scope", 19)
  static let lastSync = Field<Timestamp>("lastSync", 20)
  package static let epoch = Field<Int>("epoch", 21)
  package static let isLoggedIn = Field<Bool>("isLoggedIn", 22)
  package static let isInboxEnabled = Field<Bool>("isInboxEnabled", 23)
  package static let ownsBadge = Field<Bool>("ownsBadge", 24)
  static let person = Field<String>("person", 25)
  static let server = Field<String>("server", 26)
  package static let privacy = Field<PrivacyMode>("privacy", 27)
  package static let lastRefresh = Field<Timestamp>("lastRefresh", 28)
  package static let lastManualRefresh = Field<Timestamp>("lastManualRefresh", 29)
  static let isRefreshing = Field<Bool>("isRefreshing", 30)
  package static let flushUntil = Field<Timestamp>("flushUntil", 31)
  static let switches = Field<SwitchBits>("switches", 32)
  package static let refreshInterval = Field<Int>("refreshInterval", 33)
  static let settleInterval = Field<Int>("settleInterval", 34)
  static let tombstoneInterval = Field<Int>("tombstoneInterval", 35)
  static let emptyAnswerRowsMax = Field<Int>("emptyAnswerRowsMax", 36)
  /// Distinguishes the policy that the login named from other policies.
  static let policy = Field<Mark>("policy", 38)
  /// The last record that was compacted away.
  ///
  /// Rows already reflect the retained records up to it.
  static let floor = Field<Mark>("floor", 44)
  /// The record where forgetting begins, set until everything before it is erased.
  static let forgetting = Field<Mark>("forgetting", 45)
  /// The time of the logout that set ``flushUntil``.
  static let flushSince = Field<Timestamp>("flushSince", 46)
  /// Whether any object of the account has more than one id.
  static let hasAliases = Field<Mark>("hasAliases", 37)

  /// The collection.
  package static let collection = RowCollection(
    "accounts", number: 1,
    fields: InboxFields.all + [
      serverID.declaration, emailAddress.declaration, foldedEmailAddress.declaration,
      name.declaration, foldedName.declaration, provider.declaration, status.declaration,
      scope.declaration, lastSync.declaration, epoch.declaration, isLoggedIn.declaration,
      isInboxEnabled.declaration, ownsBadge.declaration, person.declaration, server.declaration,
      privacy.declaration, lastRefresh.declaration, lastManualRefresh.declaration,
      isRefreshing.declaration, flushUntil.declaration, switches.declaration,
      refreshInterval.declaration, settleInterval.declaration, tombstoneInterval.declaration,
      emptyAnswerRowsMax.declaration, hasAliases.declaration, policy.declaration, floor.declaration,
      forgetting.declaration, flushSince.declaration,
    ])
}

extension ObjectKind {
  /// How accounts map to rows.
  static let account = ObjectKind(
    .account, Accounts.collection,
    [
      .id: .text(Accounts.serverID), .email: .text(Accounts.emailAddress),
      .name: .text(Accounts.name), .provider: .text(Accounts.provider),
      .status: .text(Accounts.status), .scope: .text(Accounts.scope),
      .lastSync: .time(Accounts.lastSync),
    ]
  ) { row, said in
    row.fold(Accounts.name, into: Accounts.foldedName, said)
    row.fold(Accounts.emailAddress, into: Accounts.foldedEmailAddress, said)
  }
}
