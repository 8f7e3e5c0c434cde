import LMDB
import Synchronization

extension Folder {
  /// Removes any snapshots; returns `false` if they are in use.
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
  /// Permanently erases payloads from the log and from everything derived from it.
  ///
  /// The views are discarded and rebuilt from the erased log: rows are what the reducer makes of
  /// records without payloads. Until that is done, the store is as if suspended: live views stay
  /// and show nothing new, and other calls throw `closed`. Then live views get a reset.
  /// Every other process with the store open shows nothing more of it once it notices, and must
  /// reopen it. The snapshots in the store's folder `snapshots` are removed as well.
  ///
  /// If the report says that not everything is wiped, a process still reads the old data:
  /// ``Log/finishUpkeep()`` retries, and leftover views go at the next rebuild. Leftover snapshots
  /// are useless, and go when new ones are made.
  ///
  /// `spool` is treated as by ``Log/erase(_:spool:)``.
  ///
  /// - Throws: `busy` if another process keeps the views; `closed` if the store is suspended or
  ///   closed in the meantime, in which case it stays so; ``StoreError``. After any other failure,
  ///   the store is open as before. An erasure that has begun is finished when the log is next
  ///   opened.
  /// - Complexity: O(records + pages), plus rebuilding the views.
  @discardableResult
  public func erase(
    _ erasure: Erasure, spool: Spool? = nil
  ) async throws(StoreError) -> ErasureReport {
    try await withoutViews { log in try await log.erase(erasure, spool: spool) }
  }

  /// Finishes an interrupted erasure, and removes views that predate it, even if the log has
  /// finished it by itself; cheap if there is none.
  ///
  /// - Throws: ``StoreError``, as ``erase(_:spool:)``.
  func finishErasure() async throws(StoreError) {
    let parts = try parts
    do throws(LogError) {
      let standing = try parts.log.standing()
      let isPast = parts.upkeep.views.map { $0.incarnation != standing.incarnation } ?? false
      let isErasing = try parts.log.isErasing
      guard isPast || isErasing else { return }
    } catch {
      throw .log(error)
    }
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

  /// How long to wait for another process that finishes the same erasure.
  private static let erasurePatience = Duration.seconds(2)

  /// Works on the log while there are no views, and has the views rebuilt afterwards.
  private func withoutViews(
    _ body: @escaping @Sendable (Log) async throws -> ErasureReport
  ) async throws(StoreError) -> ErasureReport {
    try await turns.take { [self] () -> Result<ErasureReport, StoreError> in
      guard running.withLock({ $0 != nil }) else { return .failure(.closed(path: path)) }
      guard isKeeping, let parts = running.withLock({ $0.take() }) else {
        return .failure(.busy(path: path))
      }
      // No other process may make views of a log that is being erased.
      let lease = await parts.upkeep.stopKeepingLease()
      erased.withLock { $0 = parts.log }
      let report = await removingViews(around: body, parts.log, lease)
      erased.withLock { $0 = nil }
      await parts.log.close()
      stage.spoil()
      let reopened = await reopen(lease)
      if !isKeeping { lease?.release() }
      return reopened.flatMap { report }
    }.get()
  }

  /// Runs `body` on the log, and removes the views before and after it.
  private func removingViews(
    around body: (Log) async throws -> ErasureReport, _ log: Log, _ lease: Lease?
  ) async -> Result<ErasureReport, StoreError> {
    do {
      if isLeft { throw StoreError.closed(path: path) }
      guard let lease else { throw StoreError.busy(path: path) }
      // Before `body`, as this process may end during it; after it, as others that showed the views
      // only notice then.
      _ = try await removeViews(lease)
      let report = try await body(log)
      let isWiped = try await removeViewsOnceLeft(lease) && report.isWiped
      return .success(ErasureReport(recordCount: report.recordCount, isWiped: isWiped))
    } catch LogError.closed where isLeft {
      return .failure(.closed(path: path))
    } catch {
      return .failure(StoreError(error, path: path))
    }
  }

  /// How long to wait for other processes to close the views.
  private static let leavingPatience = Duration.milliseconds(250)

  /// Removes the views once the other processes that showed them have closed them, unless that
  /// takes too long; returns whether all are gone.
  private func removeViewsOnceLeft(_ lease: Lease) async throws -> Bool {
    let deadline = Instant.now + Self.leavingPatience
    while try await !removeViews(lease) {
      guard Instant.now < deadline else { return false }
      try await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  /// Removes the views and the snapshots; returns whether all of them are gone.
  private func removeViews(_ lease: Lease) async throws -> Bool {
    let (views, snapshots) = (
      ViewsFolder(at: Folder(path).ofViews.path), Folder(path).folder(SnapshotFolder.name)
    )
    return try await onThread {
      let areSnapshotsGone = try snapshots.removeSnapshotsUnlessInUse()
      return try views.removeAll(lease) && areSnapshotsGone
    }.get()
  }
}
