import CLMDB
import Synchronization

extension Environment {
  /// Opens a table by name, or the unnamed one.
  ///
  /// The unnamed table also lists the named ones, so an environment uses either it or those; alone,
  /// it saves every commit a page.
  ///
  /// Open tables first: a transaction that has begun already doesn't know them, and using them in
  /// it throws `badTable`. Names sort by their bytes, are 1 to 511 bytes long and hold no zero
  /// byte.
  ///
  /// - Throws: `notFound` where it isn't there and `options` don't say to create it, or can't, the
  ///   environment being read-only; `incompatible` where it was made with other options or another
  ///   kind of key; `tablesFull` beyond ``Options/tablesMax``.
  public func table<Key, Value>(
    _ name: String?, keys: Key.Type = Key.self, values: Value.Type = Value.self,
    options: TableOptions = .create
  ) throws(LMDBError) -> Table<Key, Value> {
    precondition(name?.utf8.contains(0) != true, "the name of a table holds a zero byte")
    var kind = options.contains(.duplicates) ? UInt32(MDB_DUPSORT) : 0
    if Key.self == UInt64.self { kind |= UInt32(MDB_INTEGERKEY) }
    let create = options.contains(.create) ? UInt32(MDB_CREATE) : 0
    let opened =
      self.options.isReadOnly
      ? try openReading(name, kind) : try openWriting(name, kind, create)
    let handle = TableHandle(
      number: opened, environment: number, hasDuplicates: options.contains(.duplicates))
    return Table(name: name, options: options, handle: handle)
  }

  /// LMDB wants tables opened by one transaction at a time; the write lock sees to that.
  ///
  /// A new table that is lost with the power is made again by whoever opens it next, so its making
  /// waits for a later flush. That of the unnamed one is noted in the meta page alone, and so has
  /// no page that must be on the medium before. What is disposable is never flushed.
  private func openWriting(
    _ name: String?, _ kind: UInt32, _ create: UInt32
  ) throws(LMDBError) -> MDB_dbi {
    let isUnflushed = name == nil || options.isDisposable
    return try write(isUnflushed ? .none : .pages) { transaction throws(LMDBError) in
      try unsafe Self.open(transaction.pointer, name, kind, create)
    }
  }

  /// Where there is no write lock, one of this process sees to it.
  private func openReading(_ name: String?, _ kind: UInt32) throws(LMDBError) -> MDB_dbi {
    try opening.withLock { _ throws(LMDBError) in
      let (reader, visit) = try unsafe beginReader()
      defer { leave { $0.remove(visit) } }
      let handle: MDB_dbi
      do throws(LMDBError) {
        handle = try unsafe Self.open(reader, name, kind, 0)
      } catch {
        unsafe mdb_txn_abort(reader)
        throw error
      }
      try check(unsafe mdb_txn_commit(reader), "open", label(name))
      return handle
    }
  }

  /// LMDB overlooks differences between a table's flags and those it is opened with.
  private static func open(
    _ pointer: OpaquePointer, _ name: String?, _ kind: UInt32, _ create: UInt32
  ) throws(LMDBError) -> MDB_dbi {
    if name == nil { try unsafe requireRoom(pointer, kind) }
    var (handle, actual): (MDB_dbi, UInt32) = (0, 0)
    try check(unsafe mdb_dbi_open(pointer, name, kind | create, &handle), "open", label(name))
    try check(unsafe mdb_dbi_flags(pointer, handle, &actual), "open", label(name))
    guard actual == kind else { throw LMDBError(.incompatible, "open \(label(name))") }
    return handle
  }
}

extension Environment {
  /// LMDB would give the unnamed table whatever flags it is opened with, and so destroy one that
  /// has others; throws unless it has these, or is empty.
  private static func requireRoom(_ pointer: OpaquePointer, _ kind: UInt32) throws(LMDBError) {
    var (handle, actual): (MDB_dbi, UInt32) = (0, 0)
    var statistics = MDB_stat()
    try check(unsafe mdb_dbi_open(pointer, nil, 0, &handle), "open", label(nil))
    try check(unsafe mdb_dbi_flags(pointer, handle, &actual), "open", label(nil))
    try check(unsafe mdb_stat(pointer, handle, &statistics), "open", label(nil))
    guard actual == kind || statistics.ms_entries == 0 else {
      throw LMDBError(.incompatible, "open \(label(nil))")
    }
  }
}

/// What a table is called in errors.
func label(_ name: String?) -> String { name ?? "the unnamed table" }
