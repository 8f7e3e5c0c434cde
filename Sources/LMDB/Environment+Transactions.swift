import CLMDB

/// Who is inside the environment: what growing and closing wait for.
@safe
struct Gate {
  /// How many transactions are open.
  var open = 0
  /// Whether the map is about to be replaced, so that no transaction may begin.
  var isGrowing = false
  /// How many need the environment open though they have no transaction open.
  var holds = 0
  /// Whether the environment is closed.
  var isClosed = false
  /// The thread that holds the write transaction.
  var writer: UInt?
  /// Readers that ended and keep their slot for the next.
  var idle: [OpaquePointer] = unsafe []
  /// When each open reader began.
  var readers: [(pointer: OpaquePointer, began: Instant)] = unsafe []
}

extension Environment {
  /// Calls `body` with a view of the present state.
  ///
  /// It ends when `body` returns.
  public func read<R: ~Copyable, E: Error>(
    _ body: (borrowing ReadTransaction) throws(E) -> R
  ) throws -> R {
    unsafe try body(ReadTransaction(environment: self, pointer: unsafe beginReader()))
  }

  /// Calls `body` with the write transaction and commits when it returns; what it throws takes
  /// everything back.
  ///
  /// Where the map is full it grows, and `body` runs again from the beginning, so it must not count
  /// on running once. It blocks for other writers and for the flush: not for the main actor.
  public func write<R>(
    _ flush: WriteTransaction.Flush = .full,
    _ body: (inout WriteTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    while true {
      do throws(LMDBError) {
        var transaction = unsafe WriteTransaction(
          environment: self, pointer: unsafe try beginWriter())
        let result = try body(&transaction)
        try transaction.commit(flush)
        return result
      } catch {
        guard error.code == .mapFull else { throw error }
        try grow()
      }
    }
  }

  /// Begins a read transaction, to be ended by leaving scope.
  ///
  /// - Throws: `readersFull` where live readers hold every slot.
  @available(*, noasync, message: "a transaction can't be held across an await; use read(_:)")
  public func beginReading() throws(LMDBError) -> ReadTransaction {
    unsafe ReadTransaction(environment: self, pointer: unsafe try beginReader())
  }

  /// Begins the write transaction, to be ended by ``WriteTransaction/commit(_:)`` or by leaving
  /// scope.
  ///
  /// It waits while another is open, in this process or another.
  ///
  /// - Throws: `mapFull` from its operations where the map must grow: ``grow()`` and try again.
  @available(*, noasync, message: "a transaction can't be held across an await; use write(_:_:)")
  public func beginWriting() throws(LMDBError) -> WriteTransaction {
    unsafe WriteTransaction(environment: self, pointer: unsafe try beginWriter())
  }

  func beginReader() throws(LMDBError) -> OpaquePointer {
    while true {
      let idle = unsafe enter { unsafe $0.idle.popLast() }
      let (result, begun) = unsafe idle.map { unsafe (mdb_txn_renew($0), $0) } ?? startReader()
      if result == MDB_SUCCESS, let begun = unsafe begun {
        gate.withLock { unsafe $0.readers.append((begun, .now)) }
        return unsafe begun
      }
      if let idle = unsafe idle { unsafe mdb_txn_abort(idle) }
      leave()
      try recover(from: result, "begin to read")
    }
  }

  private func startReader() -> (CInt, OpaquePointer?) {
    var started: OpaquePointer?
    let result = unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &started)
    return unsafe (result, started)
  }

  private func beginWriter() throws(LMDBError) -> OpaquePointer {
    let thread = WorkerThread.current
    while true {
      enter { precondition($0.writer != thread, "this thread has a write transaction open") }
      var started: OpaquePointer?
      let result = unsafe mdb_txn_begin(pointer, nil, 0, &started)
      if result == MDB_SUCCESS, let started = unsafe started {
        gate.withLock { $0.writer = thread }
        return unsafe started
      }
      leave()
      try recover(from: result, "begin to write")
    }
  }

  /// Mends what a transaction could not begin for, where it can be mended.
  private func recover(from result: CInt, _ operation: StaticString) throws(LMDBError) {
    if result == MDB_MAP_RESIZED { return try adoptMapSize() }
    if result == MDB_READERS_FULL, try clearStaleReaders() > 0 { return }
    try check(result, operation, path)
  }

  /// Waits until transactions may begin, and counts one more.
  func enter<R>(_ body: (inout Gate) -> R) -> R {
    let entered = gate.withLock(when: { !$0.isGrowing }) { gate in
      precondition(!gate.isClosed, "the environment in \(path) is closed")
      gate.open += 1
      return body(&gate)
    }
    guard let entered else { preconditionFailure("waiting without a deadline ended") }
    return entered
  }

  /// Counts one transaction less.
  func leave() {
    let isAwaited = gate.withLock { gate in
      gate.open -= 1
      return gate.isGrowing && gate.open == 0
    }
    if isAwaited { gate.notify() }
  }

  /// Ends a read transaction, keeping its slot for the next where there is room.
  func end(reader: OpaquePointer) {
    unsafe mdb_txn_reset(reader)
    let isKept = gate.withLock { gate in
      guard unsafe gate.idle.count < options.idleReadersMax else { return false }
      unsafe gate.idle.append(reader)
      return true
    }
    if !isKept { unsafe mdb_txn_abort(reader) }
    unsafe forget(reader: reader)
  }

  /// Notes that a read transaction has ended.
  func forget(reader: OpaquePointer) {
    gate.withLock { gate in
      guard let index = unsafe gate.readers.firstIndex(where: { unsafe $0.pointer == reader })
      else { return }
      unsafe gate.readers.swapAt(index, gate.readers.count - 1)
      unsafe gate.readers.removeLast()
    }
    leave()
  }

  /// Notes that the write transaction has ended.
  func endWriting() {
    gate.withLock { $0.writer = nil }
    leave()
  }

  /// Runs a commit with as much flushing as asked.
  ///
  /// Called by the one writer, so the environment's flags are its own meanwhile.
  func with(
    _ flush: WriteTransaction.Flush, _ commit: () throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let flags: Int32? =
      switch flush {
      case .full: nil
      case .pages: MDB_NOMETASYNC
      case .none: MDB_NOSYNC
      }
    guard let flags else { return try commit() }
    try check(unsafe mdb_env_set_flags(pointer, UInt32(flags), 1), "set flags")
    defer { unsafe mdb_env_set_flags(pointer, UInt32(flags), 0) }
    try commit()
  }
}
