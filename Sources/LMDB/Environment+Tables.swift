import CLMDB

extension Environment {
  /// Opens a table by name, or the unnamed one.
  ///
  /// The unnamed table also lists the named ones, so an environment uses either it or those. Open
  /// tables first: a transaction that has begun already doesn't know them.
  ///
  /// - Throws: `notFound` where it isn't there and `options` don't say to create it;
  ///   `incompatible` where it was made with other options or another kind of key.
  public func table<Key, Value>(
    _ name: String?, keys: Key.Type = Key.self, values: Value.Type = Value.self,
    options: TableOptions = .create
  ) throws(LMDBError) -> Table<Key, Value> {
    var flags = options.flags
    if Key.isNativeInteger { flags |= UInt32(MDB_INTEGERKEY) }
    let handle = try open(name, flags, creating: options.contains(.create))
    return Table(
      name: name, options: options, handle: handle, environment: ObjectIdentifier(self))
  }

  /// LMDB wants tables opened by one transaction at a time; the write lock sees to that.
  ///
  /// An environment for reading only opens its tables before it is shared.
  private func open(_ name: String?, _ flags: UInt32, creating: Bool) throws(LMDBError) -> MDB_dbi {
    let label = name ?? "the unnamed table"
    guard !options.isReadOnly else {
      return try openReading(name, flags & ~UInt32(MDB_CREATE), label)
    }
    return try write { transaction throws(LMDBError) in
      try unsafe Self.open(transaction.pointer, name, flags, label)
    }
  }

  private func openReading(
    _ name: String?, _ flags: UInt32, _ label: String
  ) throws(LMDBError) -> MDB_dbi {
    let reader = unsafe try beginReader()
    defer { unsafe forget(reader: reader) }
    do throws(LMDBError) {
      let handle = try unsafe Self.open(reader, name, flags, label)
      try check(unsafe mdb_txn_commit(reader), "open", label)
      return handle
    } catch {
      unsafe mdb_txn_abort(reader)
      throw error
    }
  }

  private static func open(
    _ pointer: OpaquePointer, _ name: String?, _ flags: UInt32, _ label: String
  ) throws(LMDBError) -> MDB_dbi {
    var handle: MDB_dbi = 0
    if name == nil { try unsafe requireSameKinds(unsafe pointer, flags, label) }
    try check(unsafe mdb_dbi_open(pointer, name, flags, &handle), "open", label)
    unsafe try verify(unsafe pointer, handle, flags, label)
    return handle
  }

  /// LMDB would give the unnamed table other flags, whatever it holds, and spoil another's file.
  private static func requireSameKinds(
    _ pointer: OpaquePointer, _ flags: UInt32, _ label: String
  ) throws(LMDBError) {
    var handle: MDB_dbi = 0
    var statistics = MDB_stat()
    try check(unsafe mdb_dbi_open(pointer, nil, 0, &handle), "open", label)
    try check(unsafe mdb_stat(pointer, handle, &statistics), "open", label)
    if statistics.ms_entries > 0 { try unsafe verify(unsafe pointer, handle, flags, label) }
  }

  /// LMDB overlooks some differences between a table's flags and those it is opened with.
  private static func verify(
    _ pointer: OpaquePointer, _ handle: MDB_dbi, _ flags: UInt32, _ label: String
  ) throws(LMDBError) {
    var actual: UInt32 = 0
    try check(unsafe mdb_dbi_flags(pointer, handle, &actual), "open", label)
    let kinds = UInt32(MDB_INTEGERKEY) | UInt32(MDB_DUPSORT)
    guard actual & kinds == flags & kinds else { throw LMDBError(.incompatible, "open \(label)") }
  }
}

extension TableOptions {
  fileprivate var flags: UInt32 {
    (contains(.create) ? UInt32(MDB_CREATE) : 0)
      | (contains(.duplicates) ? UInt32(MDB_DUPSORT) : 0)
  }
}
