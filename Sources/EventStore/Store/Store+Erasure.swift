import LMDB
import Synchronization

extension Folder {
  /// Removes snapshots, where there are any; says whether nobody uses them.
  fileprivate func removeSnapshotsUnlessInUse() throws(LMDBError) -> Bool {
    guard contains(SnapshotRoots.file) || holdsData else { return true }
    guard let lease = try Lease.tryTake(in: self) else { return false }
    defer { lease.release() }
    try removeSnapshots()
    try flush()
    return true
  }
}

extension Store {
  /// Erases payloads for good, in the log and in all that was made of it.
  ///
  /// The views are thrown away and made anew from the log as it is then: rows are what the reducer
  /// makes of records without payloads. Live views stay, show nothing new meanwhile, and get a
  /// reset. Every other process that has the store open shows nothing more of it once it notices,
  /// and must open it again. The snapshots in the store's folder `snapshots` are removed as well.
  ///
  /// Where the report says that not everything is wiped, a process reads what was there before:
  /// ``Log/finishUpkeep()`` tries again, and views that are left go when the views are made anew.
  /// Snapshots that are left are of no use any more, and go when others are made.
  ///
  /// The spool is as of ``Log/erase(_:spool:)``.
  ///
  /// - Throws: `busy` where another process keeps the views; `closed` where the store is suspended
  ///   or closed meanwhile, and stays so; ``StoreError``. Where anything else fails the store is
  ///   open as before. What was begun is finished when the log is opened next.
  /// - Complexity: O(records + pages), then that of making the views anew.
  @discardableResult
  public func erase(
    _ erasure: Erasure, spool: Spool? = nil
  ) async throws(StoreError) -> ErasureReport {
    try await withoutViews { log in try await log.erase(erasure, spool: spool) }
  }

  /// Finishes an erasure that was interrupted, with the views that may have been made before it;
  /// where there is none it costs a look.
  ///
  /// - Throws: ``StoreError``, as ``erase(_:spool:)``.
  package func finishErasure() async throws(StoreError) {
    let log = try log
    do throws(LogError) { guard try log.isErasing else { return } } catch { throw .log(error) }
    _ = try await withoutViews { log in
      let deadline = Instant.now + Self.erasurePatience
      while true {
        do {
          try await log.finishUpkeep()
          return ErasureReport(recordCount: 0, isWiped: try log.isErasing == false)
        } catch LogError.busy where Instant.now < deadline {
          try await Task.sleep(for: .milliseconds(1))
        }
      }
    }
  }

  /// How long another who finishes the same is waited for.
  private static let erasurePatience = Duration.seconds(2)

  /// Does something to the log while there are no views, and has views be made anew behind it.
  private func withoutViews(
    _ body: @escaping @Sendable (Log) async throws -> ErasureReport
  ) async throws(StoreError) -> ErasureReport {
    try await turns.take { [self] () -> Result<ErasureReport, StoreError> in
      guard isKeeping, let parts = running.withLock({ $0.take() }) else {
        return .failure(.busy(path: path))
      }
      await parts.upkeep.stop()
      erased.withLock { $0 = parts.log }
      let report = await removingViews(around: body, parts.log)
      erased.withLock { $0 = nil }
      await parts.log.close()
      stage.spoil()
      return await reopen().flatMap { report }
    }.get()
  }

  /// What something that is done to the log comes to, with the views removed before and behind it.
  private func removingViews(
    around body: (Log) async throws -> ErasureReport, _ log: Log
  ) async -> Result<ErasureReport, StoreError> {
    do {
      if isLeft { throw StoreError.closed(path: path) }
      // Before, as this process may end meanwhile; and behind it, as another may make some.
      _ = try await removeViews()
      let report = try await body(log)
      let isWiped = try await removeViews() && report.isWiped
      return .success(ErasureReport(recordCount: report.recordCount, isWiped: isWiped))
    } catch LogError.closed where isLeft {
      return .failure(.closed(path: path))
    } catch {
      return .failure(StoreError(error, path: path))
    }
  }

  /// Removes the views and the snapshots; says whether all of them are gone.
  private func removeViews() async throws -> Bool {
    let (views, snapshots) = (
      ViewsFolder(at: Folder(path).folder("views").path), Folder(path).folder(SnapshotFolder.name)
    )
    return try await onThread {
      let areSnapshotsGone = try snapshots.removeSnapshotsUnlessInUse()
      guard let lease = try views.tryTakeLease() else { return false }
      defer { lease.release() }
      return try views.removeAll(lease) && areSnapshotsGone
    }.get()
  }
}
