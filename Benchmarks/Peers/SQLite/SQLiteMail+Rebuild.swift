extension SQLiteMail {
  /// Fills an empty mailbox at once, and then builds its views.
  package func fill(_ mailbox: Mailbox) throws(SQLiteError) {
    try database.execute(Self.drop)
    try statements.begin.run()
    for number in 0..<mailbox.count { try fill(mailbox[number]) }
    try statements.commit.run()
    try rebuild()
  }

  /// Rebuilds the groups, counts and view indices from the items.
  package func rebuild() throws(SQLiteError) {
    try database.execute(Self.drop)
    try database.execute("BEGIN IMMEDIATE;" + Self.groups + Self.indices)
    if extras.contains(.days) { try database.execute(Self.days) }
    if extras.contains(.groupWindows) { try database.execute(Self.groupIndex) }
    try database.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")
  }

  private func fill(_ item: MailItem) throws(SQLiteError) {
    unsafe payload.write(item, to: event)
    try addEvent(MailPayload.size)
    try addItem(item)
    if extras.contains(.tags) { try addTags(item) }
  }

  private static let drop = """
    DROP INDEX IF EXISTS unreadByDate;
    DROP INDEX IF EXISTS groupsByDate;
    DROP INDEX IF EXISTS unreadByGroup;
    DELETE FROM groups;
    DELETE FROM itemDays;
    DELETE FROM groupDays;

    """

  private static let groups = """
    INSERT INTO groups SELECT groupID, max(date), sum(unread) FROM items
    GROUP BY groupID ORDER BY groupID;

    """

  private static let days = """
    INSERT INTO itemDays SELECT date / \(millisecondsPerDay), COUNT(*)
    FROM items WHERE unread GROUP BY 1 ORDER BY 1;
    INSERT INTO groupDays SELECT date / \(millisecondsPerDay), COUNT(*)
    FROM groups GROUP BY 1 ORDER BY 1;

    """
}
