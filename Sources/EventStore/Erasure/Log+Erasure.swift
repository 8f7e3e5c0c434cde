package import LMDB

extension Log {
  /// Permanently erases the payloads of the existing records that `erasure` selects.
  ///
  /// Headers remain, so the chain stays intact and positions stay valid. The work is done in slices
  /// between which appends continue; an interrupted erasure resumes when the log is next opened. If
  /// the report says so, no file in the log's folder contains any part of the payloads on return.
  /// Data derived from them must be removed separately: views and snapshots, see
  /// ``Store/erase(_:spool:)``, and backups.
  ///
  /// If `spool` is given, its content first becomes records, and files that it refused are removed,
  /// because their owners are unknown.
  ///
  /// - Throws: `busy`; `tooMany` if more than ``Erasure/itemsMax`` items are named; `readOnly`,
  ///   `closed`, `diskFull`.
  /// - Complexity: O(records + pages). Appends never wait longer than ``SlicePace/holdMax`` at
  ///   once, excluding flushes.
  @discardableResult
  public func erase(
    _ erasure: Erasure, spool: Spool? = nil
  ) async throws(LogError) -> ErasureReport {
    try await erase(erasure, spool: spool, holdMax: SlicePace.holdMax) { .now }
  }

  /// Erases like its overload, with another limit and clock.
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
  /// Whether an erasure is in progress, or was interrupted when a process ended.
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
  /// Removes files that drains refused, and unfinished files.
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
