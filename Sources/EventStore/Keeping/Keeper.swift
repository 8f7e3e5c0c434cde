import LMDB
import Synchronization

/// What a process has of a store's views while it keeps them: the lease, the current generation and
/// its file, and the pipeline that feeds it.
final class Keeper: ViewsRole {
  let folder: ViewsFolder
  let lease: Lease
  let pipeline: Pipeline
  let log: Log
  let definitions: Definitions
  let options: StoreOptions
  /// The records that are left out, since reducing them ended the process.
  let skipped: [RecordNumber]
  /// The generation that is written; another where a reader held on to too much of the one before.
  let views: Mutex<OpenViews>
  let holdWatch: Mutex<HoldWatch>
  /// Those who close the generations that were left behind.
  let leaving = Mutex<[WorkerThread]>([])
  /// The frame that is being committed.
  private let frames = Mutex(FrameRelay())
  private let thread = ViewsThread()

  /// The keeper of views that are shown on a stage.
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

  /// The generation that is written, and its file.
  var current: OpenViews { views.withLock { $0 } }

  /// Begins to follow the log; where that fails, everything is given back.
  ///
  /// The views say from now on in which run of the machine they are written. The log may go on to
  /// say that they are on the medium: before the first frame is committed it takes that back, and
  /// where there is none nothing is written.
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

  /// Why the views are not kept any further, where that is so.
  var failure: StoreError? { thread.failure }

  /// Has whoever opens the store next make the views anew.
  func distrust() { try? folder.distrust(lease) }

  /// Returns once everything that is in the log now is committed.
  func commit() throws {
    let last = try log.last
    pipeline.commit(upTo: last)
    if let failure { throw failure }
  }

  /// Commits what is durable, ends the thread, and gives everything back.
  ///
  /// The views are put on the medium, and the log says so: they are trusted then even after the
  /// machine was restarted.
  func stop() async {
    // What is in the views may be of records that another process has not flushed yet.
    log.askForFlush()
    await log.unfollow()
    await flushLog()
    await waitForWhoReduces()
    pipeline.close()
    await thread.ended()
    if failure == nil { await stamp() }
    pipeline.stage.clear()
    current.close()
    await waitForLeaving()
    lease.release()
  }

  /// Returns once whoever reduces what the log's thread has written already is done with it.
  private func waitForWhoReduces() async {
    _ = await onThread { [pipeline] in pipeline.stage.with { _ in } }
  }

  /// Makes durable what was reduced, so that it can be committed; where that fails, it is not.
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
    // Without it the views are made anew after a restart, and that is all.
    try? await log.stampViews(stamp)
  }

  /// Whether the log says still, as it did before, that the views are on the medium.
  private func isStamped(at applied: Applied) -> Bool {
    let stamp = try? log.standing().stamp
    return stamp?.applied == applied && stamp?.generation == current.generation.number
  }
}

extension Keeper {
  /// Begins to commit what is reduced, while the next is being reduced.
  ///
  /// Where the log says still that the views are left alone, nothing is written.
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

  /// Goes over to what was committed, once it is; a map that is full grows when nobody reads.
  func finishFrame() throws {
    let stage = pipeline.stage
    let applied = try frames.withLock { frames throws(LMDBError) in
      try frames.finish { environment throws(LMDBError) in
        try stage.with { workspace throws(LMDBError) in
          workspace.endReading()
          try environment.grow()
          // Who reads is not to see the frame before it is noted that it is committed.
          try workspace.base?.reader.renew()
        }
      }
    }
    if applied != nil {
      try stage.with { workspace throws(LMDBError) in try workspace.committed() }
      try moveAwayFromReaders()
    }
    pipeline.backlog.withLock { $0.endCommit(upTo: applied?.number) }
    pipeline.backlog.notify()
  }

  /// Waits for the frame that is being written, which counts for nothing.
  func abandonFrame() { frames.withLock { $0.abandon() } }
}
