import LMDB

/// Long work on a log, done in slices between which others append: one at a time over all
/// processes, taken up again by whoever opens the log after a crash.
struct LogUpkeep: Sendable {
  let log: Log
  /// Held as long as this is kept.
  let lease: Lease
  /// Where the time comes from.
  let clock: @Sendable () -> Instant
  /// How often a wipe is tried again while readers of other states are in its way.
  private static let wipeTriesMax = 200
  /// How long it waits in between.
  private static let wipePause = Duration.milliseconds(5)

  private var pace: SlicePace

  /// Begins, unless somebody else works on the log already.
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

  /// What the log says is left to do.
  func task() async throws(LogError) -> LogTask? {
    try await log.writer.run { loop throws(LogError) in try loop.currentStore().task }
  }

  /// Runs a slice on the log's own thread, between two commits.
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
  /// Does what is left to do: a baseline that is not read yet is dropped, everything else finished.
  ///
  /// - Returns: Whether nothing is left: readers may keep what was erased from being wiped.
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

  /// Erases payloads, and what they left behind.
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

  /// Overwrites what erased payloads have left behind; says whether all of it is gone.
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

  /// Puts everything on the medium, on a thread of its own so that nobody who appends waits for it;
  /// returns the last transaction that is there for certain.
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

  /// Writes the baseline that a source gives, and puts it into the place of what it stands for.
  mutating func compact(
    through floor: RecordNumber,
    _ source: @escaping @Sendable (RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    try await slice { loop, pace, clock throws(LogError) in
      try loop.beginStaging(upTo: floor, &pace, clock)
    }
    do { try await stage(source) } catch {
      // What was written takes room and is of no use; where it stays, the next opening sees to it.
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

  /// Removes what is read no more, or was never read, and puts the last of it on the medium.
  private mutating func sweep() async throws(LogError) {
    while try await slice({ loop, pace, clock throws(LogError) in try loop.sweep(&pace, clock) })
      == false
    {}
    try await log.flush()
  }
}
