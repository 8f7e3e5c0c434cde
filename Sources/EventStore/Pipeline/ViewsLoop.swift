import LMDB

/// The work of the views' thread: it reduces what was handed over, catches up with what was not,
/// and ends frames.
struct ViewsLoop {
  /// The number of records that catching up reduces before it lets others use the views.
  static let sliceMax = 512

  private let role: any ViewsRole
  private let pipeline: Pipeline
  private let log: Log

  init(_ role: any ViewsRole) {
    self.role = role
    (pipeline, log) = (role.pipeline, role.log)
  }

  /// Works until told to end, and then ends the frame.
  ///
  /// - Throws: An error that makes the views useless; they must then be reopened.
  func run() throws {
    while true {
      // What was made from payloads that are now erased must not be shown.
      guard log.incarnation == role.current.incarnation else { throw ViewsError.lost(.otherCopy) }
      let (action, work) = pipeline.backlog.withLock { backlog in backlog.next(now: .now) }
      switch action {
      case .takeBack: try takeBack()
      case .reduce: if let work { try reduce(work) }
      case .catchUp: try catchUp()
      case .endFrame: try role.endFrame()
      case .finishFrame: try role.finishFrame()
      case .noteScreen: role.writeFirstScreen()
      case .askToWrite:
        try log.withdrawStamp { [pipeline] failure in pipeline.permitWriting(unless: failure) }
      case .askForFlush: log.askForFlush()
      case .wait(let deadline): pipeline.sleep(until: deadline)
      case .end: return
      }
    }
  }

  private func reduce(_ records: WrittenRecords) throws {
    let start = Instant.now
    var queue = RecordQueue(records)
    var reduction = try reduceSome(of: &queue)
    while let sum = reduction, !queue.isEmpty {
      pipeline.stage.giveWay()
      reduction = try reduceSome(of: &queue).map { sum.followed(by: $0) }
    }
    pipeline.backlog.withLock { backlog in
      guard let reduction else { return backlog.missed(records) }
      backlog.reduced(records, reduction, from: start, to: .now)
    }
    pipeline.backlog.notify()
    pipeline.serve()
  }

  /// Reduces records until another thread wants the views; returns `nil` if the records don't
  /// follow what was reduced.
  private func reduceSome(of queue: inout RecordQueue) throws -> Reduction? {
    let stage = pipeline.stage
    let reduction = try stage.with { workspace in
      try workspace.reduce(&queue) { stage.isWanted }
    }
    return reduction ?? nil
  }

  /// Reduces a slice of the records that the log holds and nobody handed over.
  private func catchUp() throws {
    let known = pipeline.backlog.withLock { $0.committed }
    let state: CaughtUp?
    do { state = try reduceFromLog() } catch LogError.compacted(let floor) {
      return try goBehind(floor)
    }
    guard let state else { return }
    pipeline.backlog.withLock { backlog in
      backlog.removeAll(upTo: state.number)
      backlog.caughtUp(to: state.number, bytes: state.bytes, now: .now)
      // What can't be read now, or ever, is not retried until something is appended, unless that
      // happened meanwhile.
      if state.isStuck, backlog.committed == known {
        backlog.unreadable = known
        backlog.committed = state.number
      }
    }
    pipeline.backlog.notify()
    pipeline.serve()
    pipeline.stage.giveWay()
  }

  private typealias CaughtUp = (number: RecordNumber, bytes: Int, isStuck: Bool)

  private func reduceFromLog() throws -> CaughtUp? {
    try pipeline.stage.with { workspace in
      try log.read { snapshot in
        let count = try workspace.catchUp(from: snapshot, atMost: Self.sliceMax)
        return (workspace.applied.number, workspace.byteCount, count == 0)
      }
    }
  }

  /// Continues from what is committed if the next record to reduce was compacted meanwhile.
  private func goBehind(_ floor: RecordNumber) throws {
    try role.finishFrame()
    // State that must be taken back is not a frame to end.
    guard pipeline.backlog.withLock({ !$0.isSpoiled }) else { return }
    try role.endFrame()
    let isBehind = pipeline.stage.with { $0.applied.number >= floor }
    guard isBehind != false else { throw LogError.compacted(floor: floor) }
  }

  /// Takes back what was shown and did not reach the log.
  ///
  /// The views return to the committed state and advance to the end of the log before anyone reads
  /// them: no reader misses anything that is in the log and was visible before.
  private func takeBack() throws {
    try role.finishFrame()
    guard let committed = try pipeline.stage.with({ try $0.goBack(along: log) }) else { return }
    pipeline.backlog.withLock { $0.tookBack(to: committed) }
    try catchUp()
  }
}
