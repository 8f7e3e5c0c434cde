import CLMDB

/// The one transaction that may change the environment.
///
/// Others see none of its changes before ``commit(_:)``. Leaving scope without a commit rolls
/// everything back. Only one is open at a time over all processes: beginning a second one waits,
/// and on the same thread traps, as it would wait for itself. It can't be copied, begun in
/// asynchronous code, or held across an `await`, and stays on the thread that began it.
///
/// Spans that it lends can't outlive the next change, which might move the bytes.
@safe
public struct WriteTransaction: ~Copyable, ~Escapable, Transaction {
  let environment: Environment
  private var handle: OpaquePointer?

  @_lifetime(immortal)
  init(environment: Environment) throws(LMDBError) {
    unsafe handle = unsafe try environment.beginWriter()
    self.environment = environment
  }

  deinit {
    guard let pointer = unsafe handle else { return }
    environment.willEndWriting()
    unsafe mdb_txn_abort(pointer)
    environment.didEndWriting()
  }

  /// The access for reading.
  public var access: TransactionAccess {
    @_lifetime(borrow self) get {
      let access = unsafe TransactionAccess(environment, pointer)
      return unsafe _overrideLifetime(access, borrowing: self)
    }
  }

  var pointer: OpaquePointer {
    guard let handle = unsafe handle else { preconditionFailure("the transaction has ended") }
    return unsafe handle
  }

  /// Whether an operation failed partway, so that the transaction can only be aborted.
  var hasFailed: Bool {
    var statistics = MDB_stat()
    return unsafe mdb_stat(pointer, 0, &statistics) == MDB_BAD_TXN
  }

  /// Makes all changes visible, and by default durable, at once.
  ///
  /// - Throws: ``LMDBError`` if the disk is full or failed, `mapFull` if the map is full,
  ///   `badTransaction` if an operation failed before, and `corrupted` if the free list is damaged.
  ///   None of the changes is then visible. After `panic`, or any other system error, close and
  ///   reopen the environment.
  public consuming func commit(_ flush: Flush = .full) throws(LMDBError) {
    let pointer = unsafe self.pointer
    unsafe handle = nil
    unsafe Self.set(flush, of: environment.pointer)
    environment.willEndWriting()
    defer { environment.didEndWriting() }
    let result = unsafe mdb_txn_commit(pointer)
    guard result == MDB_SUCCESS else { throw LMDBError(ofCommit: result) }
  }

  /// Rolls everything back, as leaving scope does.
  public consuming func abort() {}

  /// Tells LMDB how much to flush.
  ///
  /// The setting applies to the whole environment, so the holder of the write lock sets it before
  /// each commit, and never resets it after releasing the lock.
  private static func set(_ flush: Flush, of environment: OpaquePointer) {
    unsafe mdb_env_set_flags(environment, UInt32(MDB_NOSYNC | MDB_NOMETASYNC), 0)
    switch flush {
    case .full: break
    case .pages: unsafe mdb_env_set_flags(environment, UInt32(MDB_NOMETASYNC), 1)
    case .none: unsafe mdb_env_set_flags(environment, UInt32(MDB_NOSYNC), 1)
    }
  }

  /// How much of a commit is durable when it returns.
  public enum Flush: Sendable {
    /// All of it, whatever happens to the power.
    case full
    /// All pages, but not the meta page that refers to them.
    ///
    /// A loss of power may undo this commit as a whole, but none before it. Half the cost of
    /// ``full``.
    case pages
    /// None of it; a loss of power may damage the file beyond opening.
    case none
  }

  /// Stores a value, replacing the key's old one.
  ///
  /// In a table with duplicates, adds the value to those of the key, unless it is already there.
  /// O(log n).
  ///
  /// - Throws: `keyExists` depending on `mode`; `badValueSize` for a key that is not 1 to 511 bytes
  ///   long, or such a value in a table with duplicates.
  @inlinable
  public mutating func put<Key, Value>(
    _ value: Value, for key: Key, in table: Table<Key, Value>, _ mode: PutMode = .replace
  ) throws(LMDBError) {
    let result = key.withBytes { key in
      value.withBytes { value in store(value, for: key, in: table.handle, mode) }
    }
    if result != 0 { try check(result, "put into", table) }
  }

  @usableFromInline
  mutating func store(
    _ value: RawSpan, for key: RawSpan, in table: TableHandle, _ mode: PutMode
  ) -> CInt {
    // LMDB accepts an empty duplicate, and loses it among others.
    if table.hasDuplicates, value.isEmpty { return MDB_BAD_VALSIZE }
    let (pointer, number) = unsafe (pointer, environment.number(of: table))
    return unsafe withValues(key, value) { unsafe mdb_put(pointer, number, $0, $1, mode.flags) }
  }

  /// How storing treats an existing value.
  public enum PutMode: Sendable {
    /// Replaces the value.
    case replace
    /// Throws `keyExists` if the key has a value.
    case insert
    /// Writes after the last key, which is fastest; throws `keyExists` if the key isn't greater.
    case append

    var flags: UInt32 {
      switch self {
      case .replace: 0
      case .insert: UInt32(MDB_NOOVERWRITE)
      case .append: UInt32(MDB_APPEND)
      }
    }
  }

  /// Reserves room for a value of `count` bytes, and lends it to be filled in place, without a
  /// copy.
  ///
  /// Bytes that aren't filled are zero. Traps for tables with duplicates.
  ///
  /// - Throws: `keyExists` depending on `mode`.
  @_lifetime(&self)
  public mutating func reserve<Value>(
    _ count: Int, for key: UInt64, in table: Table<UInt64, Value>, _ mode: PutMode = .replace
  ) throws(LMDBError) -> MutableRawSpan {
    precondition(!table.options.contains(.duplicates), "no reserving in a table with duplicates")
    var number = key
    var room = unsafe MDB_val(mv_size: count, mv_data: nil)
    let result = unsafe withUnsafeMutablePointer(to: &number) { number in
      var key = unsafe MDB_val(mv_size: 8, mv_data: number)
      let flags = mode.flags | UInt32(MDB_RESERVE)
      return unsafe mdb_put(pointer, environment.number(of: table.handle), &key, &room, flags)
    }
    try check(result, "reserve in", table)
    guard let start = unsafe room.mv_data else { return MutableRawSpan() }
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    let span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: count)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Removes a key with all its values; returns whether it existed.
  ///
  /// O(log n).
  @discardableResult
  public mutating func remove<Key, Value>(
    _ key: Key, from table: Table<Key, Value>
  ) throws(LMDBError) -> Bool {
    let (pointer, handle) = unsafe (pointer, environment.number(of: table.handle))
    let result = key.withBytes { key in
      unsafe withValues(key, RawSpan()) { key, _ in unsafe mdb_del(pointer, handle, key, nil) }
    }
    return try found(result, "remove from", table)
  }

  /// Removes one value of a key from a table with duplicates; returns whether it existed.
  @discardableResult
  public mutating func remove<Key, Value>(
    _ value: Value, of key: Key, from table: Table<Key, Value>
  ) throws(LMDBError) -> Bool {
    precondition(table.options.contains(.duplicates), "for tables with duplicates")
    let (pointer, handle) = unsafe (pointer, environment.number(of: table.handle))
    let result = key.withBytes { key in
      value.withBytes { value in
        if value.isEmpty { return MDB_NOTFOUND }
        return unsafe withValues(key, value) { unsafe mdb_del(pointer, handle, $0, $1) }
      }
    }
    return try found(result, "remove from", table)
  }

  /// Removes everything from a table.
  ///
  /// O(pages).
  public mutating func removeAll<Key, Value>(
    from table: Table<Key, Value>
  ) throws(LMDBError) {
    try check(
      unsafe mdb_drop(pointer, environment.number(of: table.handle), 0), "empty", table)
  }
}
