import CLMDB

/// Writes behind the last key of a table with integer keys, in place and one behind the other.
///
/// It has the transaction to itself while it lives, and costs less for each value than a search for
/// its key would.
@safe
public struct Appender: ~Copyable, ~Escapable {
  private let pointer: OpaquePointer

  @_lifetime(immortal)
  init(_ transaction: OpaquePointer, _ handle: MDB_dbi) throws(LMDBError) {
    var cursor: OpaquePointer?
    try check(unsafe mdb_cursor_open(transaction, handle, &cursor), "open an appender")
    guard let cursor = unsafe cursor else { throw LMDBError(.badTransaction, "open an appender") }
    unsafe pointer = unsafe cursor
  }

  deinit { unsafe mdb_cursor_close(pointer) }

  /// Makes room for a value of `count` bytes and lends it to be filled in place, without a copy.
  ///
  /// What is not filled holds whatever was there before. Amortized O(log n).
  ///
  /// - Throws: `keyExists` where the key is not greater than the last.
  @_lifetime(&self)
  public mutating func reserve(_ count: Int, for key: UInt64) throws(LMDBError) -> MutableRawSpan {
    var number = key
    var room = unsafe MDB_val(mv_size: count, mv_data: nil)
    let cursor = unsafe pointer
    let result = unsafe withUnsafeMutablePointer(to: &number) { number in
      var key = unsafe MDB_val(mv_size: 8, mv_data: number)
      return unsafe mdb_cursor_put(cursor, &key, &room, UInt32(MDB_APPEND | MDB_RESERVE))
    }
    try check(result, "append")
    guard let start = unsafe room.mv_data else { return MutableRawSpan() }
    let span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: count)
    return unsafe _overrideLifetime(span, mutating: &self)
  }
}

extension WriteTransaction {
  /// What writes behind the last key of a table.
  @_lifetime(&self)
  public mutating func appender<Value>(
    to table: Table<UInt64, Value>
  ) throws(LMDBError) -> Appender {
    precondition(!table.options.contains(.duplicates), "no reserving in a table with duplicates")
    let appender = try unsafe Appender(pointer, environment.number(of: table.handle))
    return unsafe _overrideLifetime(appender, mutating: &self)
  }
}
