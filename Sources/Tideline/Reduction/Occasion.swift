import EventStore

/// The context of a record for the rules: its number, time and account.
struct Occasion {
  let number: RecordNumber
  let now: Timestamp
  let account: UInt32
  /// The account's row.
  let login: RowHandle
  var switches: SwitchBits
  /// Whether any object of the account has a second id.
  var hasAliases: Bool
  let exchange: RecordNumber?
  /// The record that caused this one.
  var cause: RecordNumber?

  /// The context of an answer's own facts.
  var answered: Occasion {
    Occasion(
      number: number, now: now, account: account, login: login, switches: switches,
      hasAliases: hasAliases, exchange: number)
  }

  /// Returns the same context for the record that began an intent.
  func of(_ intent: RecordNumber) -> Occasion {
    Occasion(
      number: intent, now: now, account: account, login: login, switches: switches,
      hasAliases: hasAliases, exchange: exchange, cause: cause)
  }

  /// Returns the row id of an object.
  func rowID(_ id: String) -> String { String(account) + "/" + id }
}

extension ReducerState {
  /// Returns the context of a record in the account that it counts for, or `nil` if it counts for
  /// none.
  ///
  /// - Parameter isLate: Whether the record counts even after its login has ended.
  mutating func occasion(
    of record: RecordNumber, _ header: RecordHeader, isLate: Bool = false
  ) -> Occasion? {
    let number = header.login?.account ?? lastLogin(at: header.recordedAt)
    guard let number else { return nil }
    var (id, found): ([UInt8], (switches: SwitchBits, hasAliases: Bool)?) = (spares.take(), nil)
    defer { spares.keep(&id) }
    id.append(decimal: number)
    let login = lend(id.payloadBytes, in: Accounts.collection) { row in
      guard record.rawValue > row[Accounts.floor]?.rawValue ?? 0 else { return }
      let epoch = row[Accounts.epoch] ?? 0
      let isPresent = header.login.map { Int($0.epoch) == epoch } ?? true
      guard isLate || row[Accounts.isLoggedIn] == true && isPresent else { return }
      found = (row[Accounts.switches] ?? SwitchBits(word: 0), row[Accounts.hasAliases] != nil)
    }
    guard let login, let found else { return nil }
    return Occasion(
      number: record, now: header.recordedAt, account: number, login: login,
      switches: found.switches, hasAliases: found.hasAliases, exchange: header.exchange,
      cause: header.cause)
  }

  /// Returns the account that logged in last, unless that was after the time.
  private mutating func lastLogin(at time: Timestamp) -> UInt32? {
    guard let row = find(Self.lastLoginID, in: Cursors.collection),
      let loggedInAt = self[row, Cursors.loggedInAt], loggedInAt <= time
    else { return nil }
    return self[row, Cursors.account].flatMap(UInt32.init(exactly:))
  }

  /// Notes which account logged in last, and when.
  mutating func setLastLogin(_ account: UInt32, at time: Timestamp) throws(Refusal) {
    let row = try row(Self.lastLoginID, in: Cursors.collection)
    self[row, Cursors.account] = Int64(account)
    self[row, Cursors.loggedInAt] = time
  }

  /// No stream's row id, since those begin with a number.
  static let lastLoginID = "last login"
}

extension Refusal {
  /// Refuses an unreadable event.
  init(_ error: EventError) { self.init("\(error)") }
  /// Refuses an unreadable payload.
  init(_ error: PayloadError) { self.init("\(error)") }
}
