import LMDB

/// A long task on a log, done in slices between which appends continue.
///
/// Only one task runs at a time across all processes. After a crash, the next opening of the log
/// resumes it.
struct LogUpkeep: Sendable {
  let log: Log
  /// The lease, held for the lifetime of this value.
  let lease: Lease
  /// The source of the current time.
  let clock: @Sendable () -> Instant
  /// The maximum number of attempts at a wipe while readers of older states are in its way.
  private static let wipeTriesMax = 200
  /// The pause between attempts.
  private static let wipePause = Duration.milliseconds(5)

  private var pace: SlicePace

  /// Begins, unless another task already works on the log.
  init(_ log: Log, holdMax: Duration, clock: @escaping @Sendable () -> Instant) throws(LogError) {
    guard !log.options.isReadOnly else { throw .readOnly(path: log.path) }
    let taken: Lease?
    do throws(LMDBError) { taken = try Lease.tryTake(in: Folder(log.path)) } catch {
      throw LogError(error, path: log.path)
    }
    guard let taken else { throw .busy(path: log.path) }
    lease = taken
    (self.log, self.clock) = (log, clock)
    pace = SlicePace(holdMax: holdMax)
  }

  /// Returns the task that the log records as unfinished.
  func task() async throws(LogError) -> LogTask? {
    try await log.writer.run { loop throws(LogError) in try loop.currentStore().task }
  }

  /// Runs a slice on the log's writer thread, between two commits.
  private mutating func slice<R: Sendable>(
    _ body:
      @escaping @Sendable (
        inout WriterLoop, inout SlicePace, @escaping @Sendable () -> Instant
      ) throws(LogError) -> R
  ) async throws(LogError) -> R {
    let done = try await log.writer.run { [pace, clock] loop throws(LogError) in
      var pace = pace
      let result = try body(&loop, &pace, clock)
      return (result, pace)
    }
    pace = done.1
    return done.0
  }
}

extension LogUpkeep {
  /// Completes unfinished work: drops a baseline that is not in use yet, finishes everything else.
  ///
  /// - Returns: Whether nothing is left; `false` if readers keep erased payloads from being wiped.
  @discardableResult
  mutating func finish() async throws(LogError) -> Bool {
    switch try await task() {
    case .staging?, .sweeping?: try await sweep()
    case .erasing?: return try await finishErasing().isWiped
    case .wiping?: return try await wipe()
    case nil: break
    }
    return true
  }

  /// Erases payloads and their remains.
  mutating func erase(_ erasure: Erasure) async throws(LogError) -> ErasureReport {
    try await slice { loop, pace, clock throws(LogError) in
      try loop.beginErasing(erasure, &pace, clock)
    }
    return try await finishErasing()
  }

  private mutating func finishErasing() async throws(LogError) -> ErasureReport {
    var count: UInt64 = 0
    while true {
      let slice = try await slice { loop, pace, clock throws(LogError) in
        try loop.erase(&pace, clock)
      }
      count += slice.count
      if slice.isDone { break }
    }
    try await slice { loop, pace, clock throws(LogError) in try loop.endErasing(&pace, clock) }
    return ErasureReport(recordCount: count, isWiped: try await wipe())
  }

  /// Overwrites the remains of erased payloads; returns whether all of them are gone.
  private mutating func wipe() async throws(LogError) -> Bool {
    try await log.writer.run { loop throws(LogError) in
      do throws(LMDBError) { try LogNursery.removeRest(in: Folder(loop.path)) } catch {
        throw LogError(error, path: loop.path)
      }
    }
    var (wipe, tries) = (PageWipe(), 0)
    while tries < Self.wipeTriesMax {
      let durable = try await flush()
      let (next, isDone) = try await slice { [wipe] loop, pace, clock throws(LogError) in
        var wipe = wipe
        let isDone = try loop.wipe(&wipe, durable: durable, &pace, clock)
        return (wipe, isDone)
      }
      if isDone {
        _ = try await flush()
        try await slice { loop, pace, clock throws(LogError) in try loop.endTask(&pace, clock) }
        return true
      }
      wipe = next
      guard wipe.isWaiting else { continue }
      tries += 1
      try? await Task.sleep(for: Self.wipePause)
    }
    return false
  }

  /// Flushes everything to storage on a separate thread, so that appends do not wait; returns the
  /// last transaction known to be durable.
  private func flush() async throws(LogError) -> UInt64 {
    let environment = log.file.environment
    let flushed = await onThread {
      let last = try environment.lastTransaction
      try environment.flush()
      return last
    }
    switch flushed {
    case .success(let last): return last
    case .failure(let error):
      let failure =
        (error as? LMDBError).map { LogError($0, path: log.path) }
        ?? .failed(path: log.path, detail: "\(error)")
      if case .failed = failure { log.writer.post { $0.noteFailedFlush(failure) } }
      throw failure
    }
  }

  /// Writes the baseline that a source supplies, and puts it in place of the records it stands for.
  mutating func compact(
    through floor: RecordNumber,
    _ source: @escaping @Sendable (RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    try await slice { loop, pace, clock throws(LogError) in
      try loop.beginStaging(upTo: floor, &pace, clock)
    }
    do { try await stage(source) } catch {
      // The partial baseline is useless; if removing it fails, the next opening removes it.
      try? await sweep()
      throw error
    }
    let baseline = try await slice { loop, pace, clock throws(LogError) in
      try loop.installBaseline(&pace, clock)
    }
    try await sweep()
    return CompactionReport(floor: floor, recordCount: baseline.count)
  }

  private mutating func stage(
    _ source: @escaping @Sendable (RecordNumber) throws -> [BaselineRecord]
  ) async throws {
    var last = RecordNumber.zero
    while true {
      let records = try await onThread { [last] in try source(last) }.get()
      guard let end = records.last else { return }
      try await stage(records)
      last = end.number
    }
  }

  private mutating func stage(_ records: [BaselineRecord]) async throws(LogError) {
    var rest = records[...]
    while !rest.isEmpty {
      let count = try await slice { [rest] loop, pace, clock throws(LogError) in
        try loop.stage(rest, &pace, clock)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Removes records that are no longer or were never in use, and flushes the removal to storage.
  private mutating func sweep() async throws(LogError) {
    while try await slice({ loop, pace, clock throws(LogError) in try loop.sweep(&pace, clock) })
      == false
    {}
    try await log.flush()
  }
}
