import EventStore

/// When something is to happen.
extension ReducerState {
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
}
