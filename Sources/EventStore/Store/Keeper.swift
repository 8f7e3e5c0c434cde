import LMDB

/// What a process has of a store's views while it keeps them: the lease, the current generation and
/// its file, and the pipeline that feeds it.
final class Keeper: Sendable {
  let folder: ViewsFolder
  let lease: Lease
  let generation: Generation
  let file: ViewsFile
  let pipeline: Pipeline
  let log: Log
  /// The machine's run, as far as it is known.
  let boot: Boot?
  /// The records that are left out, since reducing them ended the process.
  let skipped: [RecordNumber]
  private let ending = Monitor<Ending>(Ending())

  /// How the views' thread ended.
  private struct Ending {
    var hasEnded = false
    var failure: StoreError?
    var waiters: [Answer<Void>] = []
  }

  init(
    _ log: Log, _ folder: ViewsFolder, _ lease: Lease, _ generation: Generation, _ file: ViewsFile,
    _ workspace: sending Workspace, on stage: Stage, _ options: Store.Options
  ) throws {
    boot = options.boot()
    self.log = log
    self.folder = folder
    self.lease = lease
    self.generation = generation
    self.file = file
    skipped = workspace.skipped.sorted()
    pipeline = Pipeline(
      stage,
      Backlog(
        applied: workspace.applied.number, inViews: try file.readMeta()?.applied.number ?? .zero,
        isNew: try workspace.isAnyViewNew(), limits: options.frame))
    try stage.install(workspace) { workspace in try workspace.resume(log) }
  }

  /// Begins to follow the log.
  ///
  /// From now on the views are written: they say in which run of the machine, and the log no longer
  /// says that they are on the medium.
  func start() async throws {
    do {
      try folder.prepareWriting(generation, lease, boot: boot)
      try await log.stampViews(nil)
      let last = try await log.follow(pipeline)
      pipeline.committed(upTo: last, isDurable: false)
    } catch {
      // The thread that would say so has not begun.
      ending.withLock { ($0.hasEnded, $0.failure) = (true, StoreError(error, path: log.path)) }
      throw error
    }
    _ = WorkerThread { [self] in
      var failure: (any Error)?
      do { try ViewsLoop(self).run() } catch { failure = error }
      end(failure)
    }
  }

  /// Notes how the views' thread ended: the log goes on without it.
  private func end(_ error: (any Error)?) {
    if let error {
      ending.withLock { $0.failure = StoreError(error, path: folder.folder.path) }
      giveUp(error)
    }
    let waiters = ending.withLock { ending in
      ending.hasEnded = true
      defer { ending.waiters = [] }
      return ending.waiters
    }
    pipeline.abandon()
    waiters.forEach { $0.resume(()) }
  }

  /// Shows what is shown now, and no more, where the disk is full or the log failed.
  ///
  /// Otherwise it can't be trusted: nothing is shown, and whoever opens the store next makes the
  /// views anew.
  private func giveUp(_ error: any Error) {
    log.dropFollower()
    if (error as? LMDBError)?.code == .diskFull || error is LogError { return }
    pipeline.stage.clear()
    try? folder.distrust(lease)
  }

  /// Why the views are not kept any further, where that is so.
  var failure: StoreError? { ending.withLock { $0.failure } }

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
    pipeline.close()
    await answered { answer in
      let hasEnded = ending.withLock { ending in
        if !ending.hasEnded { ending.waiters.append(answer) }
        return ending.hasEnded
      }
      if hasEnded { answer.resume(()) }
    }
    if failure == nil { await stamp() }
    pipeline.stage.clear()
    file.environment.close()
    generation.release()
    lease.release()
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
    let stamp = await onThread { [self] in
      try folder.clean(generation, file.environment, applied, lease)
    }
    guard let stamp = try? stamp.get() else { return }
    // Without it the views are made anew after a restart, and that is all.
    try? await log.stampViews(stamp)
  }
}

/// What `body` returns, run on a thread of its own, where it may block.
func onThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async -> Result<R, any Error> {
  await answered { (answer: Answer<Result<R, any Error>>) in
    _ = WorkerThread { answer.resume(Result { try body() }) }
  }
}
