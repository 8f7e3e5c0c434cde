extension SQLiteMail {
  /// One of the two views.
  package enum View: Sendable, CaseIterable {
    /// All groups, by the date of their last item.
    case groups
    /// The unread items, by date.
    case unread
  }

  /// How the rank of a key is found.
  package enum RankSource: Sendable {
    /// Counts the rows before it.
    case count
    /// Sums the days before its day, and counts within that day.
    case days
  }

  func statements(of view: View) -> Statements.View {
    view == .groups ? statements.groups : statements.items
  }

  /// Returns a hash of the first rows of a view, reading all their columns.
  package func firstRows(of view: View) throws(SQLiteError) -> UInt64 {
    let window = statements(of: view).window
    var digest: UInt64 = 0
    while try window.step() {
      digest = digest &* 31 &+ UInt64(bitPattern: window.integer(0)) &+ window.id(1).head
      if view == .groups {
        digest = digest &+ UInt64(bitPattern: window.integer(2))
      } else {
        let subject = unsafe window.bytes(4)
        digest = unsafe digest &+ window.id(2).head &+ UInt64(subject[0])
      }
    }
    return digest
  }

  /// Returns the number of rows in a view.
  package func count(of view: View) throws(SQLiteError) -> Int {
    try Int(statements(of: view).count.integer() ?? 0)
  }

  /// Returns all keys of a view, in order.
  package func keys(of view: View) throws(SQLiteError) -> [ViewKey] {
    var keys: [ViewKey] = []
    let all = statements(of: view).all
    while try all.step() { keys.append(ViewKey(date: all.integer(0), id: all.id(1))) }
    return keys
  }

  /// Returns the number of rows of a view before a key.
  package func rank(
    of key: ViewKey, in view: View, by source: RankSource
  ) throws(SQLiteError) -> Int {
    let statements = statements(of: view)
    switch source {
    case .count:
      return try newer(than: key.date, statements) + before(key, statements)
    case .days:
      statements.newerDays.bind(1, Self.day(of: key.date))
      let newer = try Int(statements.newerDays.integer() ?? 0)
      return try newer + rankWithinDay(of: key, in: view)
    }
  }

  /// Returns the number of rows of a view before a key on the key's own day.
  func rankWithinDay(of key: ViewKey, in view: View) throws(SQLiteError) -> Int {
    let statements = statements(of: view)
    statements.ofDay.bind(1, key.date)
    statements.ofDay.bind(2, (Self.day(of: key.date) + 1) * Self.millisecondsPerDay)
    return try Int(statements.ofDay.integer() ?? 0) + before(key, statements)
  }

  private func newer(than date: Int64, _ view: Statements.View) throws(SQLiteError) -> Int {
    view.newer.bind(1, date)
    return try Int(view.newer.integer() ?? 0)
  }

  /// Returns the number of rows of the same date before a key.
  private func before(_ key: ViewKey, _ view: Statements.View) throws(SQLiteError) -> Int {
    view.atDate.bind(1, key.date)
    bind(key.id, to: view.atDate, 2)
    return try Int(view.atDate.integer() ?? 0)
  }

  /// Binds an id, which stays in the event buffer until the statement has run.
  func bind(_ id: MailID, to statement: SQLiteStatement, _ parameter: Int) {
    unsafe id.write(to: UnsafeMutableRawBufferPointer(rebasing: event[MailPayload.idPlace]))
    unsafe statement.bind(parameter, text: eventBytes(MailPayload.idPlace))
  }
}
