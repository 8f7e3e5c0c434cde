extension SQLiteMail {
  /// The size of the event that marks an item, in bytes.
  static let markSize = 24

  /// Marks an unread item as read, and determines the effect on the view of unread items: its
  /// former place, or a hash of what is queried again.
  package func markRead(
    _ item: MailItem, _ strategy: Strategy, _ shown: inout Shown
  ) throws(SQLiteError) -> UInt64 {
    // Ranked within the transaction, so that the answer is there before the commit.
    guard case .rank(let source) = strategy else {
      try mark(item, isUnread: false) {}
      return try seen(strategy, &shown)
    }
    var rank = 0
    try mark(item, isUnread: false) { () throws(SQLiteError) in
      rank = try self.rank(of: item.key, in: .unread, by: source)
    }
    return UInt64(rank)
  }

  /// Marks an unread item as read, without querying a view.
  package func markRead(_ item: MailItem) throws(SQLiteError) {
    try mark(item, isUnread: false) {}
  }

  /// Marks a read item as unread.
  package func markUnread(_ item: MailItem, _ shown: inout Shown) throws(SQLiteError) {
    try mark(item, isUnread: true) {}
    guard !shown.unread.isEmpty else { return }
    let key = item.key
    let place = shown.unread.firstIndex { key < $0 } ?? shown.unread.count
    shown.unread.insert(key, at: place)
  }

  private func seen(_ strategy: Strategy, _ shown: inout Shown) throws(SQLiteError) -> UInt64 {
    guard case .diff = strategy else { return try firstRowsAndCount(of: .unread) }
    return try Self.edits(from: &shown.unread, to: keys(of: .unread)).digest
  }

  private func mark(
    _ item: MailItem, isUnread: Bool, _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try statements.begin.run()
    bind(item.id, to: statements.mark, 1)
    try addEvent(Self.markSize)
    statements.mark.bind(2, isUnread ? 1 : 0)
    try statements.mark.run()
    try addToDay(of: item.date, isUnread ? 1 : -1, statements.items)
    bind(item.groupID, to: statements.markInGroup, 1)
    statements.markInGroup.bind(2, isUnread ? 1 : -1)
    try statements.markInGroup.run()
    try body()
    try statements.commit.run()
  }

  /// Returns the content of both views, for the strategy that compares.
  package func shown() throws(SQLiteError) -> Shown {
    var shown = Shown()
    shown.groups = try keys(of: .groups)
    shown.unread = try keys(of: .unread)
    return shown
  }
}

extension SQLiteMail {
  /// Returns a hash of the keys in a window of a group's first unread items.
  package func firstUnread(of group: MailID) throws(SQLiteError) -> UInt64 {
    bind(group, to: statements.unreadOfGroup, 1)
    return try Self.digest(statements.unreadOfGroup)
  }

  /// Returns a hash of the keys in a window of the unread items from a date on.
  package func unread(from date: Int64) throws(SQLiteError) -> UInt64 {
    statements.unreadFrom.bind(1, date)
    return try Self.digest(statements.unreadFrom)
  }

  private static func digest(_ keys: SQLiteStatement) throws(SQLiteError) -> UInt64 {
    var digest: UInt64 = 0
    while try keys.step() {
      digest = digest &* 31 &+ UInt64(bitPattern: keys.integer(0)) &+ keys.id(1).head
    }
    return digest
  }
}
