import LMDB
import Synchronization

/// The state of a process that keeps a store's views: the lease, the current generation and its
/// file, and the pipeline that feeds it.
final class Keeper: ViewsRole {
  let folder: ViewsFolder
  let lease: Lease
  let pipeline: Pipeline
  let log: Log
  let definitions: Definitions
  let options: StoreOptions
  /// The records that are skipped because reducing them ended the process.
  let skipped: [RecordNumber]
  /// The generation being written; another replaces it when a reader holds too much of it.
  let views: Mutex<OpenViews>
  let holdWatch: Mutex<HoldWatch>
  /// The threads that close the abandoned generations.
  let leaving = Mutex<[WorkerThread]>([])
  /// The frame being committed.
  private let frames = Mutex(FrameRelay())
  private let thread = ViewsThread()

  /// Creates the keeper of views that are shown on a stage.
  init(_ opening: KeeperOpening, _ views: OpenViews) throws {
    (log, folder, lease) = (opening.log, opening.folder, opening.lease)
    (definitions, options) = (opening.definitions, opening.options)
    self.views = Mutex(views)
    holdWatch = Mutex(HoldWatch(options.hold))
    let shown = try opening.stage.with { workspace in
      (workspace.applied.number, try workspace.isAnyViewNew(), workspace.skipped.sorted())
    }
    guard let (applied, isNew, skipped) = shown else { throw ViewsError.damaged("what is shown") }
    self.skipped = skipped
    pipeline = Pipeline(
      opening.stage,
      Backlog(
        keeping: true, applied: applied,
        inViews: try views.file.readMeta()?.applied.number ?? .zero, isNew: isNew,
        limits: options.frame), definitions.reducer)
  }

  /// The generation being written, and its file.
  var current: OpenViews { views.withLock { $0 } }

  /// Begins to follow the log; if that fails, releases everything.
  ///
  /// The views now state the machine's current boot as the one they are written in. The log may
  /// still say that they are flushed: this is withdrawn before the first frame is committed, and
  /// without a frame nothing is written.
  func start() throws {
    do {
      guard !log.options.isReadOnly else { throw LogError.readOnly(path: log.path) }
      try folder.prepareWriting(current.generation, lease, boot: options.boot())
      try log.follow(pipeline)
    } catch {
      log.dropFollower()
      pipeline.abandon()
      pipeline.stage.clear()
      current.close()
      lease.release()
      throw error
    }
    thread.start(self)
  }

  /// The reason that the views are no longer kept, if so.
  var failure: StoreError? { thread.failure }

  /// Makes the next process that opens the store rebuild the views.
  func distrust() { try? folder.distrust(lease) }

  /// Waits until everything now in the log is committed.
  func commit() throws {
    let last = try log.last
    pipeline.commit(upTo: last)
    if let failure { throw failure }
  }

  /// Commits what is durable, ends the thread, and releases everything except the lease.
  ///
  /// The views are flushed, and the log says so: they are then trusted even after a reboot.
  func stop() async {
    // The views may include records that another process has not flushed yet.
    log.askForFlush()
    await log.unfollow()
    await flushLog()
    await waitForWhoReduces()
    pipeline.close()
    await thread.ended()
    if failure == nil { await stamp() }
    pipeline.stage.clear()
    // Closing waits for whoever still reads.
    _ = await onThread { [self] in current.close() }
    await waitForLeaving()
  }

  /// Closes the views and releases the lease.
  func leave() {
    current.close()
    lease.release()
  }

  /// Waits for any reduction in progress of records that the log's thread has already written.
  private func waitForWhoReduces() async {
    _ = await onThread { [pipeline] in pipeline.stage.with { _ in } }
  }

  /// Makes the reduced records durable so that they can be committed; if that fails, they aren't.
  private func flushLog() async {
    guard let last = try? log.last, (try? await log.flush()) != nil else { return }
    pipeline.committed(upTo: last, isDurable: true)
  }

  private func stamp() async {
    guard let applied = pipeline.stage.with({ $0.applied }),
      pipeline.backlog.withLock({ $0.inViews == applied.number && !$0.frame.isDirty })
    else { return }
    let stamp = await onThread { [self] () throws -> CleanStamp? in
      writeFirstScreen()
      guard !isStamped(at: applied) else { return nil }
      let views = current
      return try folder.clean(views.generation, views.file.environment, applied, lease)
    }
    guard let stamp = try? stamp.get() else { return }
    // Without the stamp, the only effect is that the views are rebuilt after a reboot.
    try? await log.stampViews(stamp)
  }

  /// Whether the log still says that the views are flushed, as it did before.
  private func isStamped(at applied: LogPoint) -> Bool {
    let stamp = try? log.standing().stamp
    return stamp?.applied == applied && stamp?.generation == current.generation.number
  }
}

extension Keeper {
  /// Begins to commit what is reduced, while reduction goes on.
  ///
  /// Writes nothing while the log still says that the views are left alone.
  func endFrame() throws {
    guard try pipeline.mayWrite() else { return }
    let views = current
    if let reason = try views.generation.check() { throw ViewsError.lost(reason) }
    let frame = try pipeline.stage.with { workspace throws(LMDBError) in
      let last = workspace.applied.number
      pipeline.backlog.withLock { $0.beginCommit(upTo: last) }
      return try workspace.freeze()
    }
    guard let frame else { return }
    let last = frame.applied.number
    frames.withLock {
      $0.begin(frame, in: views.file) { [pipeline] in
        pipeline.waitUntilDurable(last)
      } then: { [pipeline] in
        pipeline.wroteFrame()
      }
    }
  }

  /// Switches to the committed frame once it is committed; a full map grows when nobody reads.
  func finishFrame() throws {
    let stage = pipeline.stage
    let written = try frames.withLock { frames throws(LMDBError) in
      try frames.finish { environment throws(LMDBError) in
        try stage.with { workspace throws(LMDBError) in
          workspace.endReading()
          try environment.grow()
          // Readers must not see the frame before its commit is noted.
          try workspace.base?.reader.renew()
        }
      }
    }
    if written != nil {
      try stage.with { workspace throws(LMDBError) in try workspace.committed() }
      try moveAwayFromReaders()
    }
    pipeline.backlog.withLock { $0.endCommit(written) }
    pipeline.backlog.notify()
  }

  /// Waits for the frame being written, and ignores its outcome.
  func abandonFrame() { frames.withLock { $0.abandon() } }
}
