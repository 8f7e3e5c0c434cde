extension SQLiteMail {
  /// The statements that are run more than once.
  struct Statements {
    let begin, commit: SQLiteStatement
    let addEvent, addItem, addToGroup, addTag: SQLiteStatement
    let item, mark, markInGroup, groupDate: SQLiteStatement
    let items: View, groups: View
    /// The first unread items of one group, and those from a place in the view on.
    let unreadOfGroup, unreadFrom: SQLiteStatement

    /// The statements for one view.
    struct View {
      let window, count, all, newer, atDate, days, newerDays, ofDay, addToDay: SQLiteStatement
    }

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
      func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, in: database)
      }
      begin = try prepared("BEGIN IMMEDIATE")
      commit = try prepared("COMMIT")
      addEvent = try prepared("INSERT INTO log (payload) VALUES (?)")
      addItem = try prepared(
        """
        INSERT INTO items (id, groupID, date, unread, subject) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET groupID = excluded.groupID, date = excluded.date,
          unread = excluded.unread, subject = excluded.subject
        """)
      addToGroup = try prepared(
        """
        INSERT INTO groups (id, date, unread) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET
          date = max(date, excluded.date), unread = unread + excluded.unread
        """)
      addTag = try prepared("INSERT OR REPLACE INTO tags (tag, date, id) VALUES (?, ?, ?)")
      item = try prepared("SELECT date FROM items WHERE id = ?")
      mark = try prepared("UPDATE items SET unread = ?2 WHERE id = ?1")
      markInGroup = try prepared("UPDATE groups SET unread = unread + ?2 WHERE id = ?1")
      groupDate = try prepared("SELECT date FROM groups WHERE id = ?")
      items = try View(database, "items", "unread", days: "itemDays", "groupID, unread, subject")
      groups = try View(database, "groups", nil, days: "groupDays", "unread")
      unreadOfGroup = try prepared(
        """
        SELECT date, id FROM items WHERE unread AND groupID = ? ORDER BY date DESC, id
        LIMIT \(SQLiteMail.window)
        """)
      unreadFrom = try prepared(
        """
        SELECT date, id FROM items WHERE unread AND date <= ? ORDER BY date DESC, id
        LIMIT \(SQLiteMail.window)
        """)
    }
  }
}

extension SQLiteMail.Statements.View {
  fileprivate init(
    _ database: SQLiteDatabase, _ table: String, _ member: String?, days: String, _ columns: String
  ) throws(SQLiteError) {
    func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
      try SQLiteStatement(sql, in: database)
    }
    // SQLite counts a whole index by its pages, but not with a condition, even one that always
    // holds.
    let rows = "FROM \(table)" + (member.map { " WHERE \($0)" } ?? "")
    let which = rows + (member == nil ? " WHERE" : " AND")
    window = try prepared(
      "SELECT date, id, \(columns) \(rows) ORDER BY date DESC, id LIMIT \(SQLiteMail.window)")
    count = try prepared("SELECT COUNT(*) \(rows)")
    all = try prepared("SELECT date, id \(rows) ORDER BY date DESC, id")
    newer = try prepared("SELECT COUNT(*) \(which) date > ?")
    atDate = try prepared("SELECT COUNT(*) \(which) date = ? AND id < ?")
    self.days = try prepared("SELECT day, count FROM \(days) ORDER BY day DESC")
    newerDays = try prepared("SELECT ifnull(sum(count), 0) FROM \(days) WHERE day > ?")
    ofDay = try prepared("SELECT COUNT(*) \(which) date > ? AND date < ?")
    addToDay = try prepared(
      """
      INSERT INTO \(days) (day, count) VALUES (?, ?)
      ON CONFLICT (day) DO UPDATE SET count = count + excluded.count
      """)
  }
}
