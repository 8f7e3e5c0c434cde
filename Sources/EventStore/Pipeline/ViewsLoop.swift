import LMDB

/// What the views' thread does: reduces what was handed over, catches up with what was not, and
/// commits frames.
struct ViewsLoop {
  /// The records that catching up reduces before it lets others have the views.
  static let sliceMax = 512

  private let keeper: Keeper
  private var pipeline: Pipeline { keeper.pipeline }
  private var file: ViewsFile { keeper.file }
  private var log: Log { keeper.log }

  init(_ keeper: Keeper) { self.keeper = keeper }

  /// Works until it is told to end, and then commits what is durable.
  ///
  /// - Throws: What makes the views useless; they must be opened anew then.
  func run() throws {
    while true {
      let (action, work) = pipeline.backlog.withLock { backlog in backlog.next(now: .now) }
      switch action {
      case .takeBack: try takeBack()
      case .reduce: if let work { try reduce(work) }
      case .catchUp: try catchUp()
      case .commit: try commit()
      case .askForFlush: log.askForFlush()
      case .wait(let deadline): pipeline.sleep(until: deadline)
      case .end: return
      }
    }
  }

  private func reduce(_ records: WrittenRecords) throws {
    let start = Instant.now
    let bytes = try pipeline.stage.with { workspace in
      try workspace.reduce(records) ? workspace.byteCount : nil
    }
    pipeline.backlog.withLock { backlog in
      guard let bytes = bytes ?? nil else { return backlog.missed(records) }
      backlog.reduced(records, bytes: bytes, from: start, to: .now)
    }
    pipeline.backlog.notify()
    pipeline.serve()
  }

  /// Reduces records that the log holds and nobody handed over, some at a time.
  private func catchUp() throws {
    let state = try pipeline.stage.with { workspace in
      try log.read { snapshot in
        _ = try workspace.catchUp(from: snapshot, atMost: Self.sliceMax)
        return (number: workspace.applied.number, bytes: workspace.byteCount)
      }
    }
    guard let state else { return }
    pipeline.backlog.withLock { backlog in
      backlog.removeAll(upTo: state.number)
      backlog.caughtUp(to: state.number, bytes: state.bytes, now: .now)
    }
    pipeline.backlog.notify()
    pipeline.serve()
  }

  /// Commits what is reduced, while the next is being reduced.
  private func commit() throws {
    let frame = try pipeline.stage.with { workspace throws(LMDBError) in
      pipeline.backlog.withLock { $0.beganCommit() }
      return try workspace.freeze()
    }
    guard let frame, pipeline.waitUntilDurable(frame.applied.number) else { return }
    try write(frame)
    try pipeline.stage.with { workspace throws(LMDBError) in try workspace.committed() }
    pipeline.backlog.withLock { $0.inViews = frame.applied.number }
    pipeline.backlog.notify()
  }

  /// Writes a frame; where the map is full, it grows when nobody reads.
  private func write(_ frame: Frame) throws {
    if let reason = try keeper.generation.check() { throw ViewsError.lost(reason) }
    while true {
      do throws(LMDBError) {
        return try file.write(frame)
      } catch {
        guard error.code == .mapFull else { throw error }
        try pipeline.stage.with { workspace throws(LMDBError) in
          workspace.endReading()
          try file.environment.grow()
        }
      }
    }
  }

  /// Goes back to what is committed, since what was reduced beyond did not get into the log.
  private func takeBack() throws {
    let applied = try pipeline.stage.with { workspace in
      try workspace.takeBack()
      return workspace.applied.number
    }
    guard let applied else { return }
    pipeline.backlog.withLock { $0.tookBack(to: applied) }
    try catchUp()
  }
}
