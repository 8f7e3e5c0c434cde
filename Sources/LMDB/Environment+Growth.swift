import CLMDB

extension Environment {
  /// Doubles the map, once every open transaction of this process has ended.
  ///
  /// New transactions wait in the meantime. If another thread has grown the map since this call
  /// began, nothing more is done. A `hold()` is waited for, however long.
  ///
  /// - Throws: `mapFull` at the ceiling, if the system has no address space left, or if
  ///   transactions stay open longer than ``Options/growthPatience``; immediately if this thread
  ///   itself has one open.
  public func grow() throws(LMDBError) {
    let known = try information.mapSize
    try besideNoKeeper { () throws(LMDBError) in
      try resize(.mapFull) { now throws(LMDBError) in
        guard now.mapSize == known else { return nil }
        guard known < options.mapSizeMax else {
          throw LMDBError(.mapFull, "grow \(path) beyond \(options.mapSizeMax) bytes")
        }
        return min(known * 2, options.mapSizeMax)
      }
    }
  }

  /// Enlarges the map to the size that another process grew the file to, even beyond this process's
  /// ceiling.
  func adoptMapSize() throws(LMDBError) {
    try resize(.mapResized) { now in
      let needed = now.pages * now.pageSize
      guard now.mapSize < needed else { return nil }
      var size = now.mapSize
      while size < needed { size *= 2 }
      return size
    }
  }

  /// Runs `body`, which waits for open transactions, once nobody holds the environment: a holder
  /// may keep one open for longer than the patience.
  func besideNoKeeper(_ body: () throws(LMDBError) -> Void) throws(LMDBError) {
    while true {
      _ = gate.withLock(when: { $0.keepers == 0 }) { _ in }
      do throws(LMDBError) { return try body() } catch {
        guard error.code == .mapFull, gate.withLock({ $0.keepers > 0 }) else { throw error }
      }
    }
  }

  /// Grows the map if less than half of it is free, before a long time in which it can't grow.
  ///
  /// If transactions are in the way, the map keeps its size.
  package func makeHeadroom() {
    try? resize(.mapFull, patience: .milliseconds(10)) { now in
      let isRoomy = now.pages * now.pageSize <= now.mapSize / 2
      guard !isRoomy, now.mapSize < options.mapSizeMax, !options.isReadOnly else { return nil }
      return min(now.mapSize * 2, options.mapSizeMax)
    }
  }

  /// Replaces the map behind the gate by one of the chosen size.
  private func resize(
    _ failure: LMDBError.Code, patience: Duration? = nil,
    _ choose: (Information) throws(LMDBError) -> Int?
  ) throws(LMDBError) {
    try behindGate(failure, patience: patience) { gate throws(LMDBError) in
      guard let size = try choose(Information(of: self, after: gate)) else { return }
      try replaceMap(by: size, &gate)
    }
  }

  /// Runs `body` while no thread of this process is inside; new ones wait in the meantime.
  func behindGate(
    _ failure: LMDBError.Code, patience: Duration? = nil,
    _ body: (inout Gate) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let deadline = Instant.now + (patience ?? options.growthPatience)
    let thread = WorkerThread.current
    guard !gate.withLock({ $0.holds(thread) }) else {
      throw LMDBError(failure, "grow \(path) beside a transaction of the same thread")
    }
    guard gate.withLock(until: deadline, when: { !$0.isGrowing }, { $0.isGrowing = true }) != nil
    else { throw LMDBError(failure, "grow \(path) while it is being grown") }
    defer {
      gate.withLock { $0.isGrowing = false }
      gate.notify()
    }
    let done: Void? = try gate.withLock(until: deadline, when: { $0.isEmpty }) {
      gate throws(LMDBError) in
      try body(&gate)
    }
    guard done != nil else { throw LMDBError(failure, "grow \(path) beside open transactions") }
  }

  /// Replaces the map, after checking that the system has room for the new one.
  ///
  /// LMDB releases the old map before it requests the new one, and is left with none if that fails.
  private func replaceMap(by size: Int, _ gate: inout Gate) throws(LMDBError) {
    guard AddressSpace.hasRoom(for: size) else {
      throw LMDBError(.mapFull, "find \(size) bytes of address space for \(path)")
    }
    let result = unsafe mdb_env_set_mapsize(pointer, size)
    gate.isUnmapped = result != MDB_SUCCESS
    try check(result, "grow", path)
  }
}
