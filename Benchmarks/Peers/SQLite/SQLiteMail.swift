/// A mailbox in SQLite as a competent user would build it: write-ahead log, statements prepared
/// once, an index for each view, and a cache for hot data.
///
/// Besides the events it stores items and groups. The two views are queries over them: all groups
/// by the date of their last item, and the unread items by date.
@safe package final class SQLiteMail {
  /// Additional data that some strategies need besides items, groups and view indices.
  package struct Extras: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The number of rows per day in each view.
    package static let days = Extras(rawValue: 1)
    /// A view of each tag's items.
    package static let tags = Extras(rawValue: 2)
    /// An index of the unread items of each group.
    package static let groupWindows = Extras(rawValue: 4)
  }

  /// What a commit waits for.
  package enum Durability: String, Sendable {
    /// The medium.
    case full = "FULL"
    /// Nothing: a power failure may lose the last commits, but the file stays sound.
    case normal = "NORMAL"
  }

  /// The size in pages at which the write-ahead log is copied into the file.
  package enum WriteAheadLog: Int, Sendable {
    /// SQLite's default: 4 MiB.
    case small = 1000
    /// As large as the cache, 64 MiB, so that frequently changed pages are copied less often.
    case large = 16_000
  }

  /// The number of rows in a window.
  package static let window = 50

  let database: SQLiteDatabase
  let extras: Extras
  let payload = MailPayload()
  /// The bytes of the current event, at a fixed place so that binding them copies nothing.
  let event: UnsafeMutableRawBufferPointer
  let statements: Statements

  /// Opens the mailbox in `folder`, and creates it if it is missing.
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

  /// Returns the settings; a cache of 64 MiB holds the inner pages of all indices at a million
  /// items.
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

  /// Without the column of its own condition, an index would make SQLite check each row in the
  /// table for what the index already says.
  static let indices = """
    CREATE INDEX IF NOT EXISTS unreadByDate ON items (date DESC, id, unread) WHERE unread;
    CREATE INDEX IF NOT EXISTS groupsByDate ON groups (date DESC, id);

    """

  static let groupIndex = """
    CREATE INDEX IF NOT EXISTS unreadByGroup ON items (groupID, date DESC, id, unread)
    WHERE unread;
    """
}
