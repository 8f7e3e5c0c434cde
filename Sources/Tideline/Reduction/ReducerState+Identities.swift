import EventStore

/// Who is logged in, and what may be shown.
extension ReducerState {
  /// Applies a login, or a new policy of the current login.
  mutating func apply(
    _ login: LoggedIn, _ event: borrowing RecordView
  ) throws(Refusal) {
    guard let header = event.header.login else { throw Refusal("a login without an account") }
    let id = "\(header.account)"
    let isNew = find(id, in: Accounts.collection) == nil
    let row = try row(id, in: Accounts.collection)
    let isPresent =
      self[row, Accounts.isLoggedIn] == true && self[row, Accounts.epoch] == Int(header.epoch)
    guard !isPresent || self[row, Accounts.person] == login.person else {
      throw Refusal("the login is another person's")
    }
    try edit(row) { row in
      row.set(login, header)
      if isNew { row.beginAccount() }
      if !isPresent { row[Accounts.flushUntil] = nil }
    }
    if !isPresent { try setLastLogin(header.account, at: event.header.recordedAt) }
    guard !isNew, let occasion = occasion(of: event.number, event.header) else { return }
    if !isPresent {
      try setFlushTimer(occasion)
      welcomeBack(occasion)
    }
    refreshThreads(occasion)
    try refreshAllWindows(occasion)
  }

  /// Shows an account's objects again and resumes operations that waited for it.
  private mutating func welcomeBack(_ occasion: Occasion) {
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
  }

  /// Marks a rich message as unread, whatever the device did to it under another login.
  private mutating func forgetReading(of entity: Entity, _ occasion: Occasion) {
    disown(.isRead, of: entity)
    departed(entity)
    for row in layers(of: entity) where self[row, RichMessages.isRead] != nil {
      self[row, RichMessages.isRead] = nil
    }
    for operation in operations(of: entity.row) where isReading(operation) {
      end(Pending(operation: operation, entity: entity), occasion)
    }
    refreshIfOpen(entity, occasion)
  }

  /// Applies a logout.
  mutating func apply(_ logout: LoggedOut, _ occasion: Occasion) throws(Refusal) {
    self[occasion.login, Accounts.isLoggedIn] = nil
    switch logout.pending {
    case .drop: end(unfinished(occasion), occasion)
    case .hold:
      for operation in operations(ofAccount: occasion.account) {
        self[operation, Operations.isWaitingForLogin] = true
      }
    case .flush:
      self[occasion.login, Accounts.flushUntil] = logout.flushUntil ?? occasion.now
      self[occasion.login, Accounts.flushSince] = occasion.now
      // Nobody can take them back any more.
      for operation in operations(ofAccount: occasion.account)
      where self[operation, Operations.heldUntil] != nil {
        self[operation, Operations.heldUntil] = nil
      }
    }
    try setFlushTimer(occasion)
    forEachObject(of: occasion.account) { state, entity in
      state.hide(entity.row, .loggedOut, true)
    }
  }

  /// Returns the operations of an account that its server has not done.
  mutating func unfinished(_ occasion: Occasion) -> [Pending] {
    operations(ofAccount: occasion.account)
      .filter { self[$0, Operations.state] != .acknowledged }.compactMap { pending($0) }
  }

  /// Applies another name of the person.
  mutating func apply(_ change: IdentityChanged, _ occasion: Occasion) {
    self[occasion.login, Accounts.person] = change.person
  }

  /// Calls `body` with each object of an account.
  private mutating func forEachObject(
    of account: UInt32, _ body: (inout ReducerState, Entity) -> Void
  ) {
    for kind in ObjectKind.all {
      for row in rows(of: kind.collection) where self[row, InboxFields.account] == Int64(account) {
        body(&self, Entity(kind: kind, row: row))
      }
    }
  }
}

extension MutableRow {
  /// Sets the owner of an account and the behavior of its server.
  fileprivate mutating func set(_ login: LoggedIn, _ header: Login) {
    self[InboxFields.account] = Int64(header.account)
    self[Accounts.epoch] = Int(header.epoch)
    self[Accounts.isLoggedIn] = true
    self[Accounts.person] = login.person
    self[Accounts.server] = login.server
    if let namespace = login.namespace { self[Accounts.serverID] = namespace }
    self[Accounts.policy] = login.policy.mark
    let chosen = self[Accounts.switches]?.chosenOpening
    set(login.policy)
    if let chosen { self[Accounts.switches]?.chosenOpening = chosen }
  }

  /// Sets the initial values of an account.
  fileprivate mutating func beginAccount() {
    self[InboxFields.known] = 0
    self[Accounts.foldedName] = ""
    self[Accounts.foldedEmailAddress] = ""
    self[Accounts.isInboxEnabled] = true
  }
}
