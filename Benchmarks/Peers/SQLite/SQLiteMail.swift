/// A mailbox in SQLite, as a competent user would keep it: write-ahead log, statements prepared
/// once, an index for each view, a cache that holds what is hot.
///
/// Beside the events themselves it keeps items and groups, and the two views are queries over
/// them: all groups by the date of their last item, and the unread items by date.
@safe package final class SQLiteMail {
  /// What is kept beside items, groups and the views' indices, because a strategy needs it.
  package struct Extras: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// How many rows of each view each day has.
    package static let days = Extras(rawValue: 1)
    /// A view of each tag's items.
    package static let tags = Extras(rawValue: 2)
    /// An index that finds the unread items of one group.
    package static let groupWindows = Extras(rawValue: 4)
  }

  /// What a commit waits for.
  package enum Durability: String, Sendable {
    /// The medium.
    case full = "FULL"
    /// Nobody: the last commits may be lost with the power, and the file stays sound.
    case normal = "NORMAL"
  }

  /// How many pages the write-ahead log grows to before they are copied into the file.
  package enum WriteAheadLog: Int, Sendable {
    /// SQLite's own choice: 4 MiB.
    case small = 1000
    /// As much as the cache holds, 64 MiB: a page that is changed often is copied less often.
    case large = 16_000
  }

  /// How many rows a window shows.
  package static let window = 50

  let database: SQLiteDatabase
  let extras: Extras
  let payload = MailPayload()
  /// The bytes of the event at hand, in one place so that binding them copies nothing.
  let event: UnsafeMutableRawBufferPointer
  let statements: Statements

  /// Opens the mailbox in `folder`, and makes it if it isn't there.
  package init(
    in folder: String, _ extras: Extras = [], _ durability: Durability = .full,
    _ log: WriteAheadLog = .small
  ) throws(SQLiteError) {
    database = try SQLiteDatabase(at: "\(folder)/mail.sqlite")
    self.extras = extras
    try database.execute(Self.settings(durability, log))
    try database.execute(Self.tables + Self.indices)
    if extras.contains(.groupWindows) { try database.execute(Self.groupIndex) }
    statements = try Statements(database)
    unsafe event = .allocate(byteCount: MailPayload.size, alignment: 8)
  }

  deinit { unsafe event.deallocate() }

  /// 64 MiB of cache hold the inner pages of all indices at a million items.
  private static func settings(_ durability: Durability, _ log: WriteAheadLog) -> String {
    """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = \(durability.rawValue);
    PRAGMA wal_autocheckpoint = \(log.rawValue);
    PRAGMA cache_size = -65536;
    PRAGMA mmap_size = 1073741824;
    PRAGMA temp_store = MEMORY;

    """
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS log (number INTEGER PRIMARY KEY, payload BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS items (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, groupID TEXT NOT NULL,
      date INTEGER NOT NULL, unread INTEGER NOT NULL, subject TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS groups (
      id TEXT PRIMARY KEY, date INTEGER NOT NULL, unread INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS itemDays (day INTEGER PRIMARY KEY, count INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS groupDays (day INTEGER PRIMARY KEY, count INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS tags (
      tag INTEGER, date INTEGER, id TEXT, PRIMARY KEY (tag, date DESC, id)) WITHOUT ROWID;

    """

  /// An index that lacks a column which its own condition names would have SQLite look at each row
  /// in the table, only to see what the index already says.
  static let indices = """
    CREATE INDEX IF NOT EXISTS unreadByDate ON items (date DESC, id, unread) WHERE unread;
    CREATE INDEX IF NOT EXISTS groupsByDate ON groups (date DESC, id);

    """

  static let groupIndex = """
    CREATE INDEX IF NOT EXISTS unreadByGroup ON items (groupID, date DESC, id, unread)
    WHERE unread;
    """
}
