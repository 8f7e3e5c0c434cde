import CLMDB

extension Environment {
  /// Doubles the map, once every open transaction of this process has ended.
  ///
  /// New ones wait meanwhile.
  ///
  /// - Throws: `mapFull` at the ceiling, or where readers stay open longer than
  ///   ``Options/growthPatience``.
  public func grow() throws(LMDBError) {
    let size = information.mapSize
    guard size < options.mapSizeMax else {
      throw LMDBError(.mapFull, "grow \(path) beyond \(options.mapSizeMax) bytes")
    }
    try resize(to: min(size * 2, options.mapSizeMax))
  }

  /// Grows the map, where less than half of it is free, before it has to be left alone for long.
  ///
  /// Where readers are in the way it stays as it is.
  package func makeHeadroom() {
    let information = information
    guard information.pages * information.pageSize > information.mapSize / 2,
      information.mapSize < options.mapSizeMax, !options.isReadOnly
    else { return }
    let size = min(information.mapSize * 2, options.mapSizeMax)
    try? resize(to: size, patience: .milliseconds(10))
  }

  /// Maps as much as another process made the file grow to.
  func adoptMapSize() throws(LMDBError) { try resize(to: 0) }

  /// Replaces the map behind the gate.
  private func resize(to size: Int, patience: Duration? = nil) throws(LMDBError) {
    guard gate.withLock(when: { !$0.isGrowing }, { $0.isGrowing = true }) != nil else { return }
    defer {
      gate.withLock { $0.isGrowing = false }
      gate.notify()
    }
    let deadline = Instant.now + (patience ?? options.growthPatience)
    let result = gate.withLock(until: deadline, when: { $0.open == 0 }) { _ in
      unsafe mdb_env_set_mapsize(pointer, size)
    }
    guard let result else { throw LMDBError(.mapFull, "grow \(path) beside open readers") }
    try check(result, "grow", path)
  }
}
