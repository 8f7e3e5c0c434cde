import CLMDB
import Synchronization

extension Environment {
  /// Opens a table by name, or the unnamed one.
  ///
  /// The unnamed table also lists the named ones, so an environment uses either the former or the
  /// latter. The unnamed table alone saves a page per commit.
  ///
  /// Open tables first: a transaction that has already begun doesn't know them, and using them in
  /// it throws `badTable`. Names sort by their bytes, are 1 to 511 bytes long and contain no zero
  /// byte.
  ///
  /// - Throws: `notFound` if the table doesn't exist and `options` don't say to create it, or
  ///   can't, as the environment is read-only; `incompatible` if it was created with other options
  ///   or another kind of key; `tablesFull` beyond ``Options/tablesMax``.
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

  /// LMDB requires that one transaction at a time opens tables; the write lock ensures that.
  ///
  /// A new table that a loss of power destroys is recreated when it is next opened, so its creation
  /// may become durable with a later flush. The unnamed table is recorded in the meta page alone,
  /// so no page needs to be durable before. A disposable environment is never flushed.
  private func openWriting(
    _ name: String?, _ kind: UInt32, _ create: UInt32
  ) throws(LMDBError) -> MDB_dbi {
    let isUnflushed = name == nil || options.isDisposable
    return try write(isUnflushed ? .none : .pages) { transaction throws(LMDBError) in
      try unsafe Self.open(transaction.pointer, name, kind, create)
    }
  }

  /// Without the write lock, a lock of this process serializes the opening.
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

  /// LMDB ignores differences between a table's flags and those it is opened with.
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
  /// Throws unless the unnamed table has these flags or is empty: LMDB would give it whatever flags
  /// it is opened with, and so destroy it.
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

/// Returns a table's name for error messages.
func label(_ name: String?) -> String { name ?? "the unnamed table" }
