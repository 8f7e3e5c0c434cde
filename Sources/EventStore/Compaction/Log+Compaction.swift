package import LMDB

extension Log {
  /// Replaces the records up to one by a baseline: fewer records, which come to the same.
  ///
  ///     try await log.compact(through: 70_000) { last in
  ///       try someOf(kept, behind: last).map { .kept($0) }
  ///     }
  ///
  /// The baseline is what the caller says that it is: whoever folds it must come to what folding
  /// the records came to. It is written beside them first, a few records at a time, while others
  /// append; then, in one commit, it takes their place; then they are removed, a few at a time. A
  /// crash leaves the log as it was before that commit, or as it is behind it, and whoever opens it
  /// next clears up. If `records` throws, nothing has changed.
  ///
  /// Positions above the new floor, and at it, are held as before; those below are not. Who
  /// follows from below gets `compacted`.
  ///
  /// - Parameters:
  ///   - floor: The last record to be compacted away. It must be there, and behind the old floor.
  ///   - records: The baseline's next records behind a number, 0 at first, in ascending order, none
  ///     above the floor; none where there are no more. Called on a thread where it may block.
  /// - Throws: `busy`, also while a reader keeps what was erased from being wiped; what `records`
  ///   throws; `damagedRecord` of one to be kept; `diskFull`.
  /// - Precondition: What `records` returns is in ascending order, behind the last number and none
  ///   above the floor.
  /// - Complexity: O((*m* + *k*) log *n*) for a baseline of *m* records in the place of *k*.
  ///   Appends wait for no more than ``SlicePace/holdMax`` at once, unless one record takes longer.
  @discardableResult
  public func compact(
    through floor: RecordNumber,
    _ records: @escaping @Sendable (_ last: RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    try await compact(
      through: floor, holdMax: SlicePace.holdMax, clock: { .now }, records)
  }

  /// As its namesake, with other limits and another clock.
  @discardableResult
  package func compact(
    through floor: RecordNumber, holdMax: Duration, clock: @escaping @Sendable () -> Instant,
    _ records: @escaping @Sendable (_ last: RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    await waitForResumption()
    var upkeep = try LogUpkeep(self, holdMax: holdMax, clock: clock)
    defer { upkeep.lease.release() }
    // What readers keep from being wiped is to be wiped still, which a compaction would forget.
    guard try await upkeep.finish() else { throw LogError.busy(path: path) }
    let present = try reading { snapshot in (snapshot.floor, snapshot.last) }
    guard floor > present.0 else { throw LogError.compacted(floor: present.0) }
    guard floor <= present.1 else { throw LogError.damagedRecord(floor, .absent) }
    return try await upkeep.compact(through: floor, records)
  }

  /// How many records there are up to one, which is behind the floor: those of the baseline, and
  /// those behind it.
  package func recordCount(through number: RecordNumber) -> UInt64 {
    (base.baseline?.count ?? 0) + number.rawValue - base.number.rawValue
  }

  /// Does what a compaction or an erasure left undone that was interrupted, by whichever process.
  ///
  /// It begins by itself when the log is opened; this returns when it is done. Where nothing is
  /// left to do it costs a look.
  ///
  /// - Throws: `busy` where somebody else is at it; `closed`, `readOnly`, `diskFull`.
  public func finishUpkeep() async throws(LogError) {
    await waitForResumption()
    try await carryOn()
  }

  /// Does what was left undone, unless somebody is at it.
  func carryOn() async throws(LogError) {
    var upkeep = try LogUpkeep(self, holdMax: SlicePace.holdMax, clock: { .now })
    defer { upkeep.lease.release() }
    try await upkeep.finish()
  }
}
