import EventStore

/// Timers.
extension ReducerState {
  /// Sets the timer of a row, or removes it if `due` is `nil`.
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

  /// Removes the timer of a row.
  mutating func removeTimer(of row: RowHandle) {
    guard count(of: Timers.collection) > 0 else { return }
    if let timer = find(timerID(of: row), in: Timers.collection) { delete(timer) }
  }

  private mutating func timerID(of row: RowHandle) -> String {
    "\(row.collection)/\(id(of: row))"
  }

  /// Sets the deadline of an acknowledged operation, if the policy has one.
  mutating func setDeadline(of operation: RowHandle, _ occasion: Occasion) throws(Refusal) {
    let interval = self[occasion.login, Accounts.settleInterval] ?? 0
    guard interval > 0 else { return }
    let due = Timestamp(rawValue: occasion.now.rawValue &+ Int64(interval))
    try setTimer(of: operation, at: due, account: Int64(occasion.account))
  }

  /// Sets the time at which an account's open operations are abandoned, if there is one.
  mutating func setFlushTimer(_ occasion: Occasion) throws(Refusal) {
    let until = self[occasion.login, Accounts.flushUntil]
    try setTimer(of: occasion.login, at: until, account: Int64(occasion.account))
  }
}
