extension SQLiteMail {
  /// How both views are kept up to date after each batch.
  package enum Strategy: Sendable {
    /// The first rows and the count of each are queried again; moves stay unknown.
    case window
    /// All ids are queried again and compared with the earlier ones.
    case diff
    /// The rank of each changed row is queried.
    case rank(RankSource)
  }

  /// Both views after the last batch, as visible lists hold them.
  package struct Shown: Sendable {
    var groups: [ViewKey] = []
    var unread: [ViewKey] = []

    package init() {}
  }

  /// Ingests a batch, and returns the edits of both views; the window strategy finds no edits.
  package func ingest(
    _ mailbox: Mailbox, _ batch: Range<Int>, _ strategy: Strategy, _ shown: inout Shown
  ) throws(SQLiteError) -> (groups: Edits, unread: Edits, digest: UInt64) {
    var changes: Changes?
    if case .rank = strategy { changes = Changes() }
    try ingest(mailbox, batch, noting: &changes)
    switch strategy {
    case .window:
      return try (.none, .none, firstRowsAndCount(of: .groups) ^ firstRowsAndCount(of: .unread))
    case .diff:
      let groups = try Self.edits(from: &shown.groups, to: keys(of: .groups))
      let unread = try Self.edits(from: &shown.unread, to: keys(of: .unread))
      return (groups, unread, groups.digest ^ unread.digest)
    case .rank(let source):
      let groups = try edits(changes?.groups, in: .groups, by: source)
      let unread = try edits(changes?.items, in: .unread, by: source)
      return (groups, unread, groups.digest ^ unread.digest)
    }
  }

  /// Returns a hash of the first rows of a view and its number of rows.
  package func firstRowsAndCount(of view: View) throws(SQLiteError) -> UInt64 {
    try firstRows(of: view) &+ UInt64(count(of: view))
  }

  static func edits(from old: inout [ViewKey], to new: [ViewKey]) -> Edits {
    defer { old = new }
    return Edits(from: old, to: new)
  }

  private func edits(
    _ changes: KeyChanges?, in view: View, by source: RankSource
  ) throws(SQLiteError) -> Edits {
    guard let changes else { return .none }
    guard source == .days else {
      return try changes.edits { key throws(SQLiteError) in
        try rank(of: key, in: view, by: source)
      }
    }
    // Summed once for all changes of the batch.
    let newer = try newerThanDays(in: view)
    return try changes.edits { key throws(SQLiteError) in
      try newer[Self.day(of: key.date), default: 0] + rankWithinDay(of: key, in: view)
    }
  }

  /// Returns the number of rows of a view that are newer than each day.
  private func newerThanDays(in view: View) throws(SQLiteError) -> [Int64: Int] {
    var newer: [Int64: Int] = [:]
    var sum = 0
    let days = statements(of: view).days
    while try days.step() {
      newer[days.integer(0)] = sum
      sum += Int(days.integer(1))
    }
    return newer
  }
}

extension Edits {
  static let none = Edits(removals: [], insertions: [])
}
