import CLMDB

/// Writes values into a table with integer keys, in place and one after another.
///
/// Has exclusive access to the transaction while it exists. After the table's last key, a value
/// costs less than a search for its key would.
@safe
public struct Appender: ~Copyable, ~Escapable {
  private let pointer: OpaquePointer
  private let flags: UInt32

  @_lifetime(immortal)
  init(
    _ transaction: OpaquePointer, _ handle: MDB_dbi, isLast: Bool
  ) throws(LMDBError) {
    flags = UInt32(isLast ? MDB_APPEND | MDB_RESERVE : MDB_RESERVE | MDB_NOOVERWRITE)
    var cursor: OpaquePointer?
    try check(unsafe mdb_cursor_open(transaction, handle, &cursor), "open an appender")
    guard let cursor = unsafe cursor else { throw LMDBError(.badTransaction, "open an appender") }
    unsafe pointer = unsafe cursor
  }

  deinit { unsafe mdb_cursor_close(pointer) }

  /// Reserves room for a value of `count` bytes, and lends it to be filled in place, without a
  /// copy.
  ///
  /// Bytes that aren't filled hold whatever was there before. Amortized O(log n).
  ///
  /// - Throws: `keyExists` if the key isn't greater than the last or, unless appending after the
  ///   last key, if the key has a value.
  @_lifetime(&self)
  public mutating func reserve(_ count: Int, for key: UInt64) throws(LMDBError) -> MutableRawSpan {
    var number = key
    var room = unsafe MDB_val(mv_size: count, mv_data: nil)
    let (cursor, flags) = unsafe (pointer, flags)
    let result = unsafe withUnsafeMutablePointer(to: &number) { number in
      var key = unsafe MDB_val(mv_size: 8, mv_data: number)
      return unsafe mdb_cursor_put(cursor, &key, &room, flags)
    }
    try check(result, "append")
    guard let start = unsafe room.mv_data else { return MutableRawSpan() }
    let span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: count)
    return unsafe _overrideLifetime(span, mutating: &self)
  }
}

extension WriteTransaction {
  /// Returns an appender that writes after a table's last key or, if `isLast` is `false`, anywhere.
  @_lifetime(&self)
  public mutating func appender<Value>(
    to table: Table<UInt64, Value>, isLast: Bool = true
  ) throws(LMDBError) -> Appender {
    precondition(!table.options.contains(.duplicates), "no reserving in a table with duplicates")
    let number = environment.number(of: table.handle)
    let appender = try unsafe Appender(pointer, number, isLast: isLast)
    return unsafe _overrideLifetime(appender, mutating: &self)
  }
}
