import EventStore

/// Timed events.
extension ReducerState {
  /// Applies a clock tick.
  mutating func apply(_ tick: ClockTicked, _ event: borrowing RecordView) throws(Refusal) {
    let now = event.header.recordedAt
    if tick.reason == .set { try moveDeadlines(by: tick.jump ?? 0) }
    var over: [UInt32: [Pending]] = [:]
    for timer in rows(in: ListName(InboxViews.timers)) {
      if let due = self[timer, Timers.due], due <= now {
        try fire(timer, event, &over)
      } else if tick.reason != .set {
        break
      }
    }
    for login in rows(of: Accounts.collection) {
      guard let occasion = occasion(of: event, login) else { continue }
      var ended = over[occasion.account] ?? []
      if let until = self[login, Accounts.flushUntil], until <= now {
        self[login, Accounts.flushUntil] = nil
        ended += unfinished(occasion)
      }
      if !ended.isEmpty { end(ended, occasion) }
      if tick.reason == .set { try refreshAllWindows(occasion) }
    }
  }

  /// Moves with the clock whatever is a time after something happened, so that it is as far away as
  /// it was before the clock was set.
  private mutating func moveDeadlines(by jump: Int64) throws(Refusal) {
    guard jump != 0 else { return }
    for login in rows(of: Accounts.collection) {
      move([Accounts.lastManualRefresh, Accounts.flushUntil], of: login, by: jump)
    }
    for operation in rows(of: Operations.collection) {
      move([Operations.heldUntil, Operations.deferredUntil], of: operation, by: jump)
    }
    for timer in rows(of: Timers.collection) {
      guard let subject = self[timer, Timers.subject] else { continue }
      // The windows of rich messages begin and end at a date.
      let rich = handle(of: subject.row, in: RichMessages.collection)
      if subject.collection != rich.collection { move([Timers.due], of: timer, by: jump) }
    }
  }

  private mutating func move(_ fields: [Field<Timestamp>], of row: RowHandle, by jump: Int64) {
    for field in fields {
      guard let old = self[row, field]?.rawValue else { continue }
      let (moved, isOver) = old.addingReportingOverflow(jump)
      if !isOver { self[row, field] = Timestamp(rawValue: moved) }
    }
  }

  /// Fires a due timer; expired operations are only collected, by account.
  private mutating func fire(
    _ timer: RowHandle, _ event: borrowing RecordView, _ over: inout [UInt32: [Pending]]
  ) throws(Refusal) {
    guard isPresent(timer), let subject = self[timer, Timers.subject],
      let account = self[timer, Timers.account],
      let login = find("\(account)", in: Accounts.collection),
      let occasion = occasion(of: event, login)
    else { return }
    let rich = handle(of: subject.row, in: RichMessages.collection)
    if subject.collection == login.collection {
      // Every tick abandons operations whose flush time is over.
      delete(timer)
    } else if subject.collection == rich.collection {
      delete(timer)
      try refreshWindow(of: Entity(kind: .rich, row: rich), occasion)
    } else if let pending = pending(handle(of: subject.row, in: Operations.collection)) {
      over[occasion.account, default: []].append(pending)
    }
  }

  /// Returns the context of a record for an account that it doesn't name.
  private mutating func occasion(
    of event: borrowing RecordView, _ login: RowHandle
  ) -> Occasion? {
    guard let account = UInt32(id(of: login)) else { return nil }
    let header = event.header
    return Occasion(
      number: event.number, now: header.recordedAt, account: account, login: login,
      switches: self[login, Accounts.switches] ?? SwitchBits(word: 0),
      hasAliases: self[login, Accounts.hasAliases] != nil, exchange: header.exchange)
  }
}
