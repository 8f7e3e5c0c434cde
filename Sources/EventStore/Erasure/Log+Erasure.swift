package import LMDB

extension Log {
  /// Erases payloads for good: those of the records that there are now and that `erasure` names.
  ///
  /// Headers stay, so the chain stays whole, and positions are held as before. It goes on in slices
  /// between which others append; what was interrupted is taken up when the log is opened next.
  /// When it returns, and the report says so, nothing of the payloads is in any file of the log's
  /// folder. What others made of them is theirs to remove: views and snapshots, see
  /// ``Store/erase(_:spool:)``, and backups.
  ///
  /// Of the log's spool, where it has one, what is in it becomes records first, and files that it
  /// refused are removed, since nobody can tell whose they are.
  ///
  /// - Throws: `busy`; `tooMany` where more than ``Erasure/itemsMax`` items are named; `readOnly`,
  ///   `closed`, `diskFull`.
  /// - Complexity: O(records + pages). Appends wait for no more than ``SlicePace/holdMax`` at once,
  ///   flushes aside.
  @discardableResult
  public func erase(
    _ erasure: Erasure, spool: Spool? = nil
  ) async throws(LogError) -> ErasureReport {
    try await erase(erasure, spool: spool, holdMax: SlicePace.holdMax) { .now }
  }

  /// As its namesake, with other limits and another clock.
  @discardableResult
  package func erase(
    _ erasure: Erasure, spool: Spool? = nil, holdMax: Duration,
    clock: @escaping @Sendable () -> Instant
  ) async throws(LogError) -> ErasureReport {
    guard erasure.count <= Erasure.itemsMax else {
      throw .tooMany(of: "items of an erasure", count: erasure.count, limit: Erasure.itemsMax)
    }
    await waitForResumption()
    var upkeep = try LogUpkeep(self, holdMax: holdMax, clock: clock)
    defer { upkeep.lease.release() }
    try await upkeep.finish()
    if let spool {
      _ = try await drain(spool)
      try await writer.run { _ throws(LogError) in try spool.removeRefused() }
    }
    return try await upkeep.erase(erasure)
  }
}

extension Log {
  /// Whether payloads are being erased, or were to be when a process ended.
  package var isErasing: Bool {
    get throws(LogError) {
      do {
        switch try file.environment.read({ try file.store(in: $0) })?.task {
        case .erasing?, .wiping?: return true
        case .staging?, .sweeping?, nil: return false
        }
      } catch {
        throw LogError(error, path: path)
      }
    }
  }
}

extension Spool {
  /// Removes what drains refused, and what was never finished.
  fileprivate func removeRefused() throws(LogError) {
    do throws(LMDBError) {
      for name in try folder.names()
      where name.hasSuffix(SpoolNames.refused) || name.hasSuffix(SpoolNames.unfinished) {
        try folder.remove(name)
      }
      try folder.flush()
    } catch {
      throw LogError(error, path: path)
    }
  }
}
