import EventStore

/// Timed events.
extension ReducerState {
  /// Applies a clock tick.
  mutating func apply(_ tick: ClockTicked, _ event: borrowing RecordView) throws(Refusal) {
    let now = event.header.recordedAt
    var over: [UInt32: [Pending]] = [:]
    for timer in rows(in: ListName(InboxViews.timers)) {
      guard let due = self[timer, Timers.due], due <= now else { break }
      try fire(timer, event, &over)
    }
    for login in rows(of: Accounts.collection) {
      guard let occasion = occasion(of: event, login) else { continue }
      var ended = over[occasion.account] ?? []
      if let until = self[login, Accounts.flushUntil], until <= now {
        self[login, Accounts.flushUntil] = nil
        ended += unfinished(occasion)
      }
      if !ended.isEmpty { end(ended, occasion) }
      guard tick.reason == .set else { continue }
      moveManualRefresh(of: login, by: tick.jump ?? 0)
      try moveWaits(occasion)
      try refreshAllWindows(occasion)
    }
  }

  /// Moves the time of the last manual refresh with the clock, so that it stays as long ago.
  private mutating func moveManualRefresh(of login: RowHandle, by jump: Int64) {
    guard let last = self[login, Accounts.lastManualRefresh], jump != 0 else { return }
    self[login, Accounts.lastManualRefresh] = last.moved(by: jump)
  }

  /// Moves what began later than the present time, as the clock was ahead then, so that it begins
  /// now and lasts as long: holds, deferrals, and the time to flush.
  ///
  /// Does nothing more if several processes record that the clock was set.
  private mutating func moveWaits(_ occasion: Occasion) throws(Refusal) {
    let now = occasion.now
    for operation in operations(ofAccount: occasion.account) {
      guard let since = self[operation, Operations.waitsSince], since > now else { continue }
      let jump = now.rawValue &- since.rawValue
      change(operation) { row in
        row[Operations.waitsSince] = now
        row[Operations.heldUntil] = row[Operations.heldUntil]?.moved(by: jump)
        row[Operations.deferredUntil] = row[Operations.deferredUntil]?.moved(by: jump)
      }
    }
    guard let since = self[occasion.login, Accounts.flushSince], since > now,
      let until = self[occasion.login, Accounts.flushUntil]
    else { return }
    self[occasion.login, Accounts.flushSince] = now
    self[occasion.login, Accounts.flushUntil] = until.moved(by: now.rawValue &- since.rawValue)
    try setFlushTimer(occasion)
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

extension Timestamp {
  /// Returns the moment later by some milliseconds, or the same if there is no such moment.
  fileprivate func moved(by milliseconds: Int64) -> Timestamp {
    let (moved, isOver) = rawValue.addingReportingOverflow(milliseconds)
    return isOver ? self : Timestamp(rawValue: moved)
  }
}
