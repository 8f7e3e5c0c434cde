import CSQLite

/// A connection to a database file; it closes when it and its statements are released.
@safe final class SQLiteDatabase {
  fileprivate let connection: OpaquePointer

  /// Opens the file, and creates it if it is missing.
  init(at path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    // One thread at a time uses it, so SQLite's lock would be a needless cost.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened = unsafe opened, code == SQLITE_OK else {
      throw SQLiteError(code: code, description: "SQLite: can't open \(path)")
    }
    unsafe connection = opened
  }

  deinit { unsafe sqlite3_close_v2(connection) }

  /// Runs statements without results.
  func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil), sql)
  }

  fileprivate func check(_ code: CInt, _ subject: @autoclosure () -> String) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    let message = unsafe String(cString: sqlite3_errmsg(connection))
    throw SQLiteError(code: code, description: "SQLite: \(message), \(subject())")
  }
}

/// A statement that is prepared once and run often.
@safe final class SQLiteStatement {
  private let database: SQLiteDatabase
  private let statement: OpaquePointer
  private let sql: String

  init(_ sql: String, in database: SQLiteDatabase) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let persistent = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = unsafe sqlite3_prepare_v3(
      database.connection, sql, -1, persistent, &prepared, nil)
    try database.check(code, sql)
    guard let prepared = unsafe prepared else {
      throw SQLiteError(code: SQLITE_MISUSE, description: "SQLite: no statement in \(sql)")
    }
    self.database = database
    self.sql = sql
    unsafe statement = prepared
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Binds an integer to a parameter, numbered from 1.
  func bind(_ parameter: Int, _ value: Int64) {
    unsafe sqlite3_bind_int64(statement, CInt(parameter), value)
  }

  /// Binds a text, which must stay in place until the statement has run.
  @unsafe func bind(_ parameter: Int, text: UnsafeRawBufferPointer) {
    let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
    unsafe sqlite3_bind_text(statement, CInt(parameter), start, CInt(text.count), nil)
  }

  /// Binds bytes, which must stay in place until the statement has run.
  @unsafe func bind(_ parameter: Int, bytes: UnsafeRawBufferPointer) {
    unsafe sqlite3_bind_blob(
      statement, CInt(parameter), bytes.baseAddress, CInt(bytes.count), nil)
  }

  /// Runs the statement to its next row; `false` at the end, after which it can run again.
  func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    let reset = unsafe sqlite3_reset(statement)
    if code != SQLITE_DONE { try database.check(reset, sql) }
    return false
  }

  /// Runs the statement to its end.
  func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Returns the first integer of the first row; `nil` if there is no row.
  func integer() throws(SQLiteError) -> Int64? {
    guard try step() else { return nil }
    let value = integer(0)
    unsafe sqlite3_reset(statement)
    return value
  }

  /// Returns the integer in a column of the current row.
  func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(column)) }

  /// Returns the id in a column of the current row.
  func id(_ column: Int) -> MailID {
    unsafe MailID(text: bytes(column))
  }

  /// Returns the text in a column of the current row, valid until the next step.
  @unsafe func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_text(statement, CInt(column))
    let count = unsafe sqlite3_column_bytes(statement, CInt(column))
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
  }
}
