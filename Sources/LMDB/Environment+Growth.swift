import CLMDB

extension Environment {
  /// Doubles the map, once every open transaction of this process has ended.
  ///
  /// New ones wait meanwhile. Where another thread has grown it since this one asked, that is
  /// enough. Whoever holds the environment is waited for, however long.
  ///
  /// - Throws: `mapFull` at the ceiling, where the system has no address space to give, or where
  ///   transactions stay open longer than ``Options/growthPatience``; at once, where this thread
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

  /// Maps as much as another process made the file grow to, whatever this one's ceiling.
  func adoptMapSize() throws(LMDBError) {
    try resize(.mapResized) { now in
      let needed = now.pages * now.pageSize
      guard now.mapSize < needed else { return nil }
      var size = now.mapSize
      while size < needed { size *= 2 }
      return size
    }
  }

  /// Does what waits for the open transactions, once nobody holds the environment: what is done
  /// meanwhile may well keep one open for longer than the patience is.
  func besideNoKeeper(_ body: () throws(LMDBError) -> Void) throws(LMDBError) {
    while true {
      _ = gate.withLock(when: { $0.keepers == 0 }) { _ in }
      do throws(LMDBError) { return try body() } catch {
        guard error.code == .mapFull, gate.withLock({ $0.keepers > 0 }) else { throw error }
      }
    }
  }

  /// Grows the map, where less than half of it is free, before it has to be left alone for long.
  ///
  /// Where transactions are in the way it stays as it is.
  package func makeHeadroom() {
    try? resize(.mapFull, patience: .milliseconds(10)) { now in
      let isRoomy = now.pages * now.pageSize <= now.mapSize / 2
      guard !isRoomy, now.mapSize < options.mapSizeMax, !options.isReadOnly else { return nil }
      return min(now.mapSize * 2, options.mapSizeMax)
    }
  }

  /// Replaces the map behind the gate by one of the size that is chosen there.
  private func resize(
    _ failure: LMDBError.Code, patience: Duration? = nil,
    _ choose: (Information) throws(LMDBError) -> Int?
  ) throws(LMDBError) {
    try behindGate(failure, patience: patience) { gate throws(LMDBError) in
      guard let size = try choose(Information(of: self, behind: gate)) else { return }
      try replaceMap(by: size, &gate)
    }
  }

  /// Runs `body` while nobody of this process is inside; new ones wait meanwhile.
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

  /// LMDB gives the old map back before it asks for the new, and has none where that fails: so the
  /// system is asked first.
  private func replaceMap(by size: Int, _ gate: inout Gate) throws(LMDBError) {
    guard AddressSpace.hasRoom(for: size) else {
      throw LMDBError(.mapFull, "find \(size) bytes of address space for \(path)")
    }
    let result = unsafe mdb_env_set_mapsize(pointer, size)
    gate.isUnmapped = result != MDB_SUCCESS
    try check(result, "grow", path)
  }
}
