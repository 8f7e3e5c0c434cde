import EventStore

/// What may be shown, and how.
extension ReducerState {
  /// Applies a change of configuration.
  mutating func apply(_ change: ConfigurationChanged, _ occasion: Occasion) throws(Refusal) {
    try edit(occasion.login) { row in
      if let policy = change.policy { row.set(policy) }
      if let marksRead = change.marksReadOnOpening, var switches = row[Accounts.switches] {
        switches.chosenOpening = marksRead
        row[Accounts.switches] = switches
      }
      if let ownsBadge = change.ownsBadge { row[Accounts.ownsBadge] = ownsBadge ? true : nil }
      if let isEnabled = change.isInboxEnabled { row[Accounts.isInboxEnabled] = isEnabled }
    }
    hideRich(occasion)
    guard change.policy != nil else { return }
    var later = occasion
    later.switches = self[occasion.login, Accounts.switches] ?? SwitchBits(word: 0)
    refreshThreads(later)
    try refreshAllWindows(later)
  }

  /// Refreshes the threads with a separate base, and those with messages being marked as read or
  /// unread, which may have been hidden until now.
  mutating func refreshThreads(_ occasion: Occasion) {
    var marked = messagesBeingMarked(occasion)
    for base in rows(of: Bases.threads)
    where self[base, InboxFields.account] == Int64(occasion.account) {
      if let row = find(id(of: base), in: Threads.collection) {
        let messages = marked.removeValue(forKey: row) ?? []
        refresh(Entity(kind: .thread, row: row), with: messages, occasion)
      }
    }
    for (row, messages) in marked.sorted(by: { $0.key.row.rawValue < $1.key.row.rawValue }) {
      refresh(Entity(kind: .thread, row: row), with: messages, occasion)
    }
  }

  /// Returns the messages being marked as read or unread, by thread.
  private mutating func messagesBeingMarked(_ occasion: Occasion) -> [RowHandle: [Entity]] {
    var messages: [RowHandle: [Entity]] = [:]
    for operation in operations(ofAccount: occasion.account) where marking(by: operation) != nil {
      if let message = pending(operation)?.entity, let thread = thread(of: message, occasion) {
        messages[thread.row, default: []].append(message)
      }
    }
    return messages
  }

  /// Applies a change of what may be done with data.
  mutating func apply(_ change: PrivacyChanged, _ occasion: Occasion) {
    self[occasion.login, Accounts.privacy] = change.mode
    if change.mode == .forgotten {
      forget(occasion.account)
      self[occasion.login, Accounts.forgetting] = Mark(rawValue: occasion.number.rawValue)
    }
    hideRich(occasion)
  }

  private mutating func hideRich(_ occasion: Occasion) {
    let hiding = accountHiding(of: occasion.login)
    for row in rows(of: RichMessages.collection)
    where self[row, InboxFields.account] == Int64(occasion.account) {
      hide(row, .inboxOff, hiding.contains(.inboxOff))
      hide(row, .restricted, hiding.contains(.restricted))
    }
  }

  /// Applies an erasure of payloads.
  mutating func apply(_ erased: Erased, _ occasion: Occasion) throws(Refusal) {
    guard let name = erased.name else {
      // What was to be forgotten already is; what came since was allowed.
      guard self[occasion.login, Accounts.forgetting] == nil else {
        self[occasion.login, Accounts.forgetting] = nil
        return
      }
      return forget(occasion.account)
    }
    guard let kind = ObjectKind.of(name.objectClass) else { return }
    erase(name.id, kind, occasion)
  }

  /// Deletes everything of an account except the account itself.
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
}

extension MutableRow {
  /// Sets the policy of an account.
  mutating func set(_ policy: PolicySwitches) {
    self[Accounts.switches] = SwitchBits(policy)
    self[Accounts.refreshInterval] = Int(policy.refreshInterval.milliseconds)
    self[Accounts.settleInterval] = Int(policy.settleInterval.milliseconds)
    self[Accounts.tombstoneInterval] = Int(policy.tombstoneInterval.milliseconds)
    self[Accounts.emptyAnswerRowsMax] = Int(policy.emptyAnswerRowsMax)
  }
}
