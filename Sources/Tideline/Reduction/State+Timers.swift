import EventStore

/// What happens at a time.
extension State {
  /// Has something happen to what a row holds, at a time, or never.
  mutating func setTimer(
    of row: RowHandle, at due: Timestamp?, account: Int64
  ) throws(Refusal) {
    let id = timerID(of: row)
    guard let due else { return removeTimer(of: row) }
    let timer = try self.row(id, in: Timers.collection)
    guard self[timer, Timers.due] != due else { return }
    try edit(timer) { timer in
      timer[Timers.due] = due
      timer[Timers.account] = account
      timer[Timers.subject] = RowLink(collection: row.collection, row: row.row)
    }
  }

  /// Has nothing happen to what a row holds.
  mutating func removeTimer(of row: RowHandle) {
    if let timer = find(timerID(of: row), in: Timers.collection) { delete(timer) }
  }

  private mutating func timerID(of row: RowHandle) -> String {
    "\(row.collection)/\(id(of: row))"
  }

  /// Has an acknowledged operation be over at its deadline, if there is one.
  mutating func setDeadline(of operation: RowHandle, _ occasion: Occasion) throws(Refusal) {
    let interval = self[occasion.login, Accounts.settleInterval] ?? 0
    guard interval > 0 else { return }
    let due = Timestamp(rawValue: occasion.now.rawValue &+ Int64(interval))
    try setTimer(of: operation, at: due, account: Int64(occasion.account))
  }

  /// Has what an account has open be abandoned when it is to be sent no longer, if it is to be.
  mutating func setFlushTimer(_ occasion: Occasion) throws(Refusal) {
    let until = self[occasion.login, Accounts.flushUntil]
    try setTimer(of: occasion.login, at: until, account: Int64(occasion.account))
  }

  /// Shows a rich message if now is between its start and its end.
  mutating func refreshWindow(of entity: Entity, _ occasion: Occasion) throws(Refusal) {
    guard entity.kind.objectClass == .rich else { return }
    let base = base(of: entity)
    let start = self[base, RichMessages.startDateUtc]
    let end = self[base, RichMessages.endDateUtc]
    let hasWindow = occasion.switches.hasActiveWindow
    let isActive = !hasWindow || start ?? .min <= occasion.now && occasion.now < end ?? .max
    for row in Set([base, entity.row]) where (self[row, RichMessages.isActive] != false) != isActive
    {
      self[row, RichMessages.isActive] = isActive ? nil : false
    }
    let next = hasWindow ? [start, end].compactMap { $0 }.filter { $0 > occasion.now }.min() : nil
    if next != nil || start != nil || end != nil {
      try setTimer(of: entity.row, at: next, account: Int64(occasion.account))
    }
  }

  /// Takes in that it is a time.
  mutating func take(_ tick: ClockTicked, _ event: borrowing RecordView) throws(Refusal) {
    let now = event.header.recordedAt
    for timer in rows(in: InboxViews.timers) {
      guard let due = self[timer, Timers.due], due <= now else { break }
      try fire(timer, event)
    }
    for login in rows(of: Accounts.collection) {
      guard let occasion = occasion(of: event, login) else { continue }
      if let until = self[login, Accounts.flushUntil], until <= now { flush(occasion) }
      if tick.reason == .set { try refreshAllWindows(occasion) }
    }
  }

  private mutating func fire(
    _ timer: RowHandle, _ event: borrowing RecordView
  ) throws(Refusal) {
    guard isPresent(timer), let subject = self[timer, Timers.subject],
      let account = self[timer, Timers.account],
      let login = find("\(account)", in: Accounts.collection),
      let occasion = occasion(of: event, login)
    else { return }
    let rich = handle(of: subject.row, in: RichMessages.collection)
    if subject.collection == login.collection {
      // Whatever was still to be sent is abandoned with each tick.
      delete(timer)
    } else if subject.collection == rich.collection {
      delete(timer)
      try refreshWindow(of: Entity(kind: .rich, row: rich), occasion)
    } else if let pending = pending(handle(of: subject.row, in: Operations.collection)) {
      end(pending, occasion)
    }
  }

  /// A record as it is to an account that it doesn't name.
  private mutating func occasion(
    of event: borrowing RecordView, _ login: RowHandle
  ) -> Occasion? {
    guard let account = UInt32(id(of: login)) else { return nil }
    let header = event.header
    return Occasion(
      number: event.number, now: header.recordedAt, account: account, login: login,
      switches: self[login, Accounts.switches] ?? SwitchBits(word: 0), exchange: header.exchange)
  }

  /// Asks of all rich messages of an account whether they are to be shown.
  mutating func refreshAllWindows(_ occasion: Occasion) throws(Refusal) {
    for row in rows(of: RichMessages.collection)
    where self[row, InboxFields.account] == Int64(occasion.account) {
      try refreshWindow(of: Entity(kind: .rich, row: row), occasion)
    }
  }
}

extension Timestamp {
  fileprivate static let min = Timestamp(rawValue: .min)
  fileprivate static let max = Timestamp(rawValue: .max)
}
