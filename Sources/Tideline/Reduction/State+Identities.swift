import EventStore

/// Who is logged in, and what may be shown.
extension State {
  /// Takes in that somebody logged in.
  mutating func take(
    _ login: LoggedIn, _ event: borrowing RecordView
  ) throws(Refusal) {
    guard let header = event.header.login else { throw Refusal("a login without an account") }
    let id = "\(header.account)"
    let isNew = find(id, in: Accounts.collection) == nil
    let row = try row(id, in: Accounts.collection)
    try edit(row) { row in
      row[InboxFields.account] = Int64(header.account)
      row[Accounts.epoch] = Int(header.epoch)
      row[Accounts.isLoggedIn] = true
      row[Accounts.person] = login.person
      row[Accounts.server] = login.server
      if let namespace = login.namespace { row[Accounts.serverID] = namespace }
      row[Accounts.flushUntil] = nil
      row.set(login.policy)
      if isNew {
        row[InboxFields.known] = 0
        row[Accounts.foldedName] = ""
        row[Accounts.foldedEmailAddress] = ""
        row[Accounts.isInboxEnabled] = true
      }
    }
    try setLastLogin(header.account)
    guard !isNew, let occasion = occasion(of: event) else { return }
    try setFlushTimer(occasion)
    try welcomeBack(occasion)
  }

  /// Shows again what was an account's, and takes up what waited for it.
  private mutating func welcomeBack(_ occasion: Occasion) throws(Refusal) {
    let epoch = self[occasion.login, Accounts.epoch]
    for operation in operations(ofAccount: occasion.account) {
      self[operation, Operations.isWaitingForLogin] = nil
      self[operation, Operations.epoch] = epoch
    }
    forEachObject(of: occasion.account) { state, entity in
      state.hide(entity.row, .loggedOut, false)
      if entity.kind.objectClass == .rich, occasion.switches.readOwner == .login {
        state.forgetReading(of: entity, occasion)
      }
    }
    try refreshAllWindows(occasion)
  }

  /// Has a rich message be unread, whatever the device made of it under another login.
  private mutating func forgetReading(of entity: Entity, _ occasion: Occasion) {
    if var making = self[entity.row, InboxFields.making], making.owned.contains(.isRead) {
      making.owned.remove(.isRead)
      self[entity.row, InboxFields.making] = making
    }
    departed(entity)
    for row in Set([base(of: entity), entity.row]) where self[row, RichMessages.isRead] != nil {
      self[row, RichMessages.isRead] = nil
    }
    for operation in operations(of: entity.row) where isReading(operation) {
      end(Pending(operation: operation, entity: entity), occasion)
    }
    refreshIfOpen(entity, occasion)
  }

  /// Takes in that somebody logged out.
  mutating func take(_ logout: LoggedOut, _ occasion: Occasion) throws(Refusal) {
    self[occasion.login, Accounts.isLoggedIn] = nil
    switch logout.pending {
    case .drop: flush(occasion)
    case .hold:
      for operation in operations(ofAccount: occasion.account) {
        self[operation, Operations.isWaitingForLogin] = true
      }
    case .flush: self[occasion.login, Accounts.flushUntil] = logout.flushUntil ?? occasion.now
    }
    try setFlushTimer(occasion)
    forEachObject(of: occasion.account) { state, entity in
      state.hide(entity.row, .loggedOut, true)
    }
  }

  /// Abandons everything that an account has open.
  mutating func flush(_ occasion: Occasion) {
    self[occasion.login, Accounts.flushUntil] = nil
    for operation in operations(ofAccount: occasion.account) {
      if let pending = pending(operation) { end(pending, occasion) }
    }
  }

  /// Takes in another name of the person.
  mutating func take(_ change: IdentityChanged, _ occasion: Occasion) {
    self[occasion.login, Accounts.person] = change.person
  }

  /// Takes in how switches were set.
  mutating func take(_ change: ConfigurationChanged, _ occasion: Occasion) throws(Refusal) {
    try edit(occasion.login) { row in
      if let policy = change.policy { row.set(policy) }
      if let marksRead = change.marksReadOnOpening, var switches = row[Accounts.switches] {
        switches.openingMarksRead = marksRead
        row[Accounts.switches] = switches
      }
      if let ownsBadge = change.ownsBadge { row[Accounts.isBadgeOwn] = ownsBadge ? true : nil }
      if let isEnabled = change.isInboxEnabled { row[Accounts.isInboxEnabled] = isEnabled }
    }
    hideRich(occasion)
    guard change.policy != nil else { return }
    var later = occasion
    later.switches = self[occasion.login, Accounts.switches] ?? SwitchBits(word: 0)
    refreshThreads(later)
    try refreshAllWindows(later)
  }

  /// Makes anew what is visible of threads that aren't as their bases are.
  private mutating func refreshThreads(_ occasion: Occasion) {
    for base in rows(of: Bases.threads)
    where self[base, InboxFields.account] == Int64(occasion.account) {
      if let row = find(id(of: base), in: Threads.collection) {
        refresh(Entity(kind: .thread, row: row), occasion)
      }
    }
  }

  /// Takes in what may be done with data.
  mutating func take(_ change: PrivacyChanged, _ occasion: Occasion) {
    self[occasion.login, Accounts.privacy] = change.mode
    if change.mode == .forgotten {
      forget(occasion.account)
      self[occasion.login, Accounts.forgetting] = Mark(rawValue: occasion.number.rawValue)
    }
    hideRich(occasion)
  }

  /// Why the rich messages of an account aren't shown.
  mutating func accountHiding(of login: RowHandle) -> Hiding {
    var hiding: Hiding = []
    if self[login, Accounts.isInboxEnabled] == false { hiding.insert(.inboxOff) }
    switch self[login, Accounts.privacy] {
    case .restricted, .forgotten: hiding.insert(.restricted)
    default: break
    }
    return hiding
  }

  private mutating func hideRich(_ occasion: Occasion) {
    let hiding = accountHiding(of: occasion.login)
    for row in rows(of: RichMessages.collection)
    where self[row, InboxFields.account] == Int64(occasion.account) {
      hide(row, .inboxOff, hiding.contains(.inboxOff))
      hide(row, .restricted, hiding.contains(.restricted))
    }
  }

  /// Takes in that payloads were erased.
  mutating func take(_ erased: Erased, _ occasion: Occasion) throws(Refusal) {
    guard let name = erased.name else {
      self[occasion.login, Accounts.forgetting] = nil
      return forget(occasion.account)
    }
    guard let kind = ObjectKind.of(name.objectClass) else { return }
    if let entity = lookUp(name.id, kind, occasion) {
      for operation in operations(of: entity.row) { remove(operation, from: entity.row) }
      try remove(entity, version: nil, isOwn: false, occasion)
    }
    unbury(name.id, kind, occasion)
  }

  /// Forgets everything of an account but the account.
  private mutating func forget(_ account: UInt32) {
    let owned: [(RowCollection, Field<Int64>)] =
      ObjectKind.all.map { ($0.collection, InboxFields.account) }
      + ObjectKind.all.compactMap { kind in kind.bases.map { ($0, InboxFields.account) } }
      + [
        (Bases.savings, InboxFields.account), (Bases.uploads, InboxFields.account),
        (Operations.collection, Operations.account),
        (Timers.collection, Timers.account), (Tombstones.collection, Tombstones.account),
        (Answers.collection, Answers.account),
      ]
    for (collection, field) in owned {
      for row in rows(of: collection) where self[row, field] == Int64(account) { delete(row) }
    }
    for row in rows(of: Cursors.collection)
    where self[row, Cursors.account] == Int64(account) && self[row, Cursors.stream] != nil {
      delete(row)
    }
  }

  /// Calls `body` with each object of an account.
  private mutating func forEachObject(
    of account: UInt32, _ body: (inout State, Entity) -> Void
  ) {
    for kind in ObjectKind.all {
      for row in rows(of: kind.collection) where self[row, InboxFields.account] == Int64(account) {
        body(&self, Entity(kind: kind, row: row))
      }
    }
  }
}

extension MutableRow {
  /// Sets what an account's policy is.
  fileprivate mutating func set(_ policy: PolicySwitches) {
    self[Accounts.switches] = SwitchBits(policy)
    self[Accounts.canMarkUnread] = policy.marksUnread
    self[Accounts.absenceDeletes] = policy.absenceDeletes
    self[Accounts.refreshInterval] = Int(policy.refreshInterval)
    self[Accounts.settleInterval] = Int(policy.settleInterval)
    self[Accounts.tombstoneInterval] = Int(policy.tombstoneInterval)
    self[Accounts.emptyAnswerRowsMax] = Int(policy.emptyAnswerRowsMax)
  }
}
