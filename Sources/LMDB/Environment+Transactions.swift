import CLMDB

extension Environment {
  /// Calls `body` with a view of the present state.
  ///
  /// The view ends when `body` returns.
  ///
  /// - Throws: What `body` throws; `readersFull` if live readers hold every slot; `mapResized` if
  ///   another process grew the file and a transaction of this process stayed open longer than
  ///   ``Options/growthPatience``.
  @_disfavoredOverload
  public func read<R: ~Copyable>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
    try body(ReadTransaction(environment: self))
  }

  /// Calls `body` with a view of the present state, like its namesake, if `body` throws only LMDB's
  /// own errors.
  public func read<R: ~Copyable>(
    _ body: (borrowing ReadTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    try body(ReadTransaction(environment: self))
  }

  /// Calls `body` with the write transaction and commits when it returns; if it throws, everything
  /// is rolled back.
  ///
  /// If the map is full, it grows and `body` runs again from the beginning, so `body` must not rely
  /// on running once. Blocks for other writers and for the flush, so don't call it on the main
  /// actor.
  ///
  /// - Throws: What `body` and ``WriteTransaction/commit(_:)`` throw; `readOnly`; `mapFull` if the
  ///   map can't grow, see ``grow()``.
  @_disfavoredOverload
  public func write<R>(
    _ flush: WriteTransaction.Flush = .full, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    var foreign: (any Error)?
    do throws(LMDBError) {
      return try write(flush) { transaction throws(LMDBError) in
        do {
          return try body(&transaction)
        } catch {
          if let error = error as? LMDBError { throw error }
          foreign = error
          throw LMDBError(.badTransaction, "write")
        }
      }
    } catch {
      throw foreign ?? error
    }
  }

  /// Calls `body` with the write transaction, like its namesake, if `body` throws only LMDB's own
  /// errors.
  public func write<R>(
    _ flush: WriteTransaction.Flush = .full,
    _ body: (inout WriteTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    while true {
      if let result = try writeOnce(flush, body) { return result }
      try grow()
    }
  }

  /// Writes, or returns `nil` if the map had no room.
  private func writeOnce<R>(
    _ flush: WriteTransaction.Flush,
    _ body: (inout WriteTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R? {
    var transaction = try WriteTransaction(environment: self)
    let result: R
    do throws(LMDBError) {
      result = try body(&transaction)
    } catch {
      // The full map may be that of another environment.
      guard error.code == .mapFull, transaction.hasFailed else { throw error }
      return nil
    }
    do throws(LMDBError) {
      try transaction.commit(flush)
    } catch {
      guard error.code == .mapFull else { throw error }
      return nil
    }
    return result
  }

  /// Calls `body` under the write lock, so that no process writes except `body` itself.
  func whileLocked<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    let transaction = try WriteTransaction(environment: self)
    let result = try body()
    transaction.abort()
    return result
  }

  /// Begins a read transaction, which ends when it leaves scope.
  ///
  /// - Throws: `readersFull` if live readers hold every slot; `mapResized` as in `read`.
  @available(*, noasync, message: "a transaction can't be held across an await; use read(_:)")
  @_lifetime(immortal)
  public func beginReading() throws(LMDBError) -> ReadTransaction {
    try ReadTransaction(environment: self)
  }

  /// Begins the write transaction, which ends with ``WriteTransaction/commit(_:)`` or when it
  /// leaves scope.
  ///
  /// Waits while another is open, in this process or another. Unless there is certain to be room,
  /// prefer `write`, which grows the map automatically.
  ///
  /// - Throws: `readOnly`; `panic` after a commit that failed on its meta page. The transaction's
  ///   operations throw `mapFull` if the map must grow: end it, ``grow()``, and begin again.
  @available(*, noasync, message: "a transaction can't be held across an await; use write(_:_:)")
  @_lifetime(immortal)
  public func beginWriting() throws(LMDBError) -> WriteTransaction {
    try WriteTransaction(environment: self)
  }

  func beginReader() throws(LMDBError) -> (OpaquePointer, Gate.Visit) {
    while true {
      let visit = Gate.Visit()
      let idle = unsafe try enter(visit.thread) { gate in
        gate.readers.append(visit)
        return unsafe gate.idle.popLast()
      }
      let (result, begun) = unsafe idle.map { unsafe (mdb_txn_renew($0), $0) } ?? startReader()
      if result == MDB_SUCCESS, let begun = unsafe begun { return unsafe (begun, visit) }
      if let idle = unsafe idle { unsafe mdb_txn_abort(idle) }
      leave { $0.remove(visit) }
      try recover(from: result, "begin to read")
    }
  }

  private func startReader() -> (CInt, OpaquePointer?) {
    var started: OpaquePointer?
    let result = unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &started)
    return unsafe (result, started)
  }

  /// Ends a read transaction, keeping its slot for the next one if there is room.
  func end(_ reader: OpaquePointer, _ visit: Gate.Visit) {
    unsafe mdb_txn_reset(reader)
    leave { gate in
      gate.remove(visit)
      if unsafe gate.idle.count < options.idleReadersMax {
        unsafe gate.idle.append(reader)
      } else {
        unsafe mdb_txn_abort(reader)
      }
    }
  }

  func beginWriter() throws(LMDBError) -> OpaquePointer {
    guard !options.isReadOnly else { throw LMDBError(.readOnly, "begin to write \(path)") }
    let thread = WorkerThread.current
    while true {
      try enter(thread) { gate in
        precondition(gate.writer != thread, "this thread has a write transaction open")
        gate.others += 1
      }
      var started: OpaquePointer?
      let result = unsafe mdb_txn_begin(pointer, nil, 0, &started)
      if result == MDB_SUCCESS, let started = unsafe started {
        gate.withLock { $0.writer = thread }
        return unsafe started
      }
      leave { $0.others -= 1 }
      try recover(from: result, "begin to write")
    }
  }

  /// Notes that the write transaction is about to end, while its lock still keeps others out.
  func willEndWriting() { gate.withLock { $0.writer = nil } }

  /// Notes that the write transaction has ended.
  func didEndWriting() { leave { $0.others -= 1 } }

  /// Removes the cause for which a transaction could not begin, if possible.
  private func recover(from result: CInt, _ operation: StaticString) throws(LMDBError) {
    if result == MDB_MAP_RESIZED { return try adoptMapSize() }
    if result == MDB_READERS_FULL, try clearStaleReaders() > 0 { return }
    try check(result, operation, path)
  }
}
