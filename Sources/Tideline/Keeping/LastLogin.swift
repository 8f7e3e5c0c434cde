package import EventStore

extension RecordHeader {
  /// Whether the record says who is logged in and under which policy, without which later records
  /// mean nothing; it may do more.
  package var tellsOfAccounts: Bool {
    switch kind {
    case LoggedIn.kind, LoggedOut.kind, IdentityChanged.kind, ConfigurationChanged.kind,
      PrivacyChanged.kind, ObjectClass.account.kind:
      true
    // Of the things in a baseline, only objects are entities.
    case StateKept.kind: entity == nil
    default: false
    }
  }
}

/// Follows a log to find which account logged in last, as ``ReducerState`` does: records without a
/// login count for that account.
struct LastLogin {
  private var epochs: [UInt32: UInt32] = [:]
  private var last: (account: UInt32, time: Timestamp)?

  /// Returns the account that logged in last, unless that was after `time`.
  func account(at time: Timestamp) -> UInt32? {
    guard let last, last.time <= time else { return nil }
    return last.account
  }

  /// Processes the next record.
  mutating func follow(_ record: borrowing RecordView) {
    let header = record.header
    switch header.kind {
    case LoggedIn.kind, LoggedOut.kind, StateKept.kind: break
    default: return
    }
    let event = try? EventCatalog.event(of: record)
    if let kept = event as? StateKept { return kept.rows.forEach { take($0) } }
    guard let login = header.login, event != nil else { return }
    let isPresent = epochs[login.account] == login.epoch
    if event is LoggedOut {
      if isPresent { epochs[login.account] = nil }
    } else if !isPresent {
      epochs[login.account] = login.epoch
      last = (login.account, header.recordedAt)
    }
  }

  /// Applies a baseline's row that says who is logged in, or who logged in last.
  private mutating func take(_ row: RowKept) {
    let fields = row.values.fields
    if row.collection == Int64(Accounts.collection.number), let account = UInt32(row.id) {
      let isLoggedIn = fields[Accounts.isLoggedIn.number] == .boolean(true)
      epochs[account] = isLoggedIn ? fields.integer(Accounts.epoch.number) : nil
    } else if row.id == ReducerState.lastLoginID,
      row.collection == Int64(Cursors.collection.number),
      let account: UInt32 = fields.integer(Cursors.account.number),
      let time: Int64 = fields.integer(Cursors.loggedInAt.number)
    {
      last = (account, Timestamp(rawValue: time))
    }
  }
}
