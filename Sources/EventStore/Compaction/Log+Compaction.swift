package import LMDB

extension Log {
  /// Replaces the records up to a floor with a baseline: fewer records with an equivalent result.
  ///
  ///     try await log.compact(through: 70_000) { last in
  ///       try someOf(kept, behind: last).map { .kept($0) }
  ///     }
  ///
  /// The caller defines the baseline and must ensure that folding it gives the same result as
  /// folding the original records. The baseline is first written beside the records, a few at a
  /// time, while appends continue. One commit then puts it in their place, and they are removed, a
  /// few at a time. A crash leaves the log as it was either before or after that commit, and the
  /// next opening of the log cleans up. If `records` throws, nothing has changed.
  ///
  /// Positions at or above the new floor stay valid; those below do not. A subscriber that follows
  /// from below gets `compacted`.
  ///
  /// Compact the log of an open store by ``Store/compact(through:_:)``. Otherwise its committed
  /// views may be behind the new floor. If it then has to go back to them, as after a full disk, it
  /// stops updating, with ``Store/failure``, until it is suspended and resumed, or reopened: its
  /// views are then rebuilt.
  ///
  /// - Parameters:
  ///   - floor: The last record to compact away. It must exist and be after the old floor.
  ///   - records: Returns the baseline's next records after a number, which is 0 at first, in
  ///     ascending order and none above the floor; empty at the end. Called on a thread that may
  ///     block.
  /// - Throws: `busy`, also while a reader prevents erased payloads from being wiped; any error of
  ///   `records`; `compacted` if `floor` is not after the old floor; `damagedRecord` for a record
  ///   to keep, or if `floor` is absent; `diskFull`.
  /// - Precondition: `records` returns records in ascending order, after the last number and none
  ///   above the floor.
  /// - Complexity: O((*m* + *k*) log *n*) for a baseline of *m* records in place of *k*. Appends
  ///   never wait longer than ``SlicePace/holdMax`` at once, unless a single record takes longer.
  @discardableResult
  public func compact(
    through floor: RecordNumber,
    _ records: @escaping @Sendable (_ last: RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    try await compact(
      through: floor, holdMax: SlicePace.holdMax, clock: { .now }, records)
  }

  /// Compacts like its overload, with another limit and clock.
  @discardableResult
  package func compact(
    through floor: RecordNumber, holdMax: Duration, clock: @escaping @Sendable () -> Instant,
    _ records: @escaping @Sendable (_ last: RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    await waitForResumption()
    var upkeep = try LogUpkeep(self, holdMax: holdMax, clock: clock)
    defer { upkeep.lease.release() }
    // Compaction would forget what readers still keep from being wiped.
    guard try await upkeep.finish() else { throw LogError.busy(path: path) }
    let present = try reading { snapshot in (snapshot.floor, snapshot.last) }
    guard floor > present.0 else { throw LogError.compacted(floor: present.0) }
    guard floor <= present.1 else { throw LogError.damagedRecord(floor, .absent) }
    return try await upkeep.compact(through: floor, records)
  }

  /// Returns the number of records up to one that is above the floor: those of the baseline, and
  /// those after the floor.
  package func recordCount(through number: RecordNumber) -> UInt64 {
    (base.baseline?.count ?? 0) + number.rawValue - base.number.rawValue
  }

  /// Completes a compaction or an erasure that was interrupted, in whichever process.
  ///
  /// Opening the log starts this automatically; this method returns when it is done. If nothing is
  /// left to do, it costs a single read.
  ///
  /// - Throws: `busy` if another process or task is doing it; `closed`, `readOnly`, `diskFull`.
  public func finishUpkeep() async throws(LogError) {
    await waitForResumption()
    try await carryOn()
  }

  /// Completes interrupted work, or throws `busy` if someone else is doing it.
  func carryOn() async throws(LogError) {
    var upkeep = try LogUpkeep(self, holdMax: SlicePace.holdMax, clock: { .now })
    defer { upkeep.lease.release() }
    try await upkeep.finish()
  }
}
