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
  let options: Store.Options
  /// The generation that is written; another where a reader held on to too much of the one before.
  let views: Mutex<OpenViews>
  let holdWatch: Mutex<HoldWatch>
  private let thread = ViewsThread()

  /// The keeper of views that are shown on a stage, and committed as far as `committed`.
  init(_ opening: KeeperOpening, _ views: OpenViews, committed: RecordNumber) {
    (log, folder, lease) = (opening.log, opening.folder, opening.lease)
    (definitions, options) = (opening.definitions, opening.options)
    self.views = Mutex(views)
    holdWatch = Mutex(HoldWatch(options.hold))
    let stage = opening.stage
    let reduced = stage.with { $0.applied.number } ?? committed
    pipeline = Pipeline(
      stage,
      Backlog(keeping: true, committed: committed, reduced: reduced, limits: options.frame))
  }

  /// The generation that is written, and its file.
  var current: OpenViews { views.withLock { $0 } }

  /// Begins to follow the log.
  ///
  /// From now on the views are written: they say in which run of the machine, and the log no longer
  /// says that they are on the medium.
  func start() async throws {
    try folder.prepareWriting(current.generation, lease, boot: options.boot())
    try await log.stampViews(nil)
    thread.start(self)
    let last = try await log.follow(pipeline)
    pipeline.committed(upTo: last, isDurable: false)
  }

  /// Why the views are not kept any further, where that is so.
  var failure: StoreError? { thread.failure }

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
    await log.unfollow()
    pipeline.close()
    await thread.ended()
    if failure == nil { await stamp() }
    pipeline.stage.clear()
    current.close()
    lease.release()
  }

  private func stamp() async {
    guard let applied = pipeline.stage.with({ $0.applied }) else { return }
    let stamp = await onThread { [self] in
      writeFirstScreen()
      let views = current
      return try folder.clean(views.generation, views.file.environment, applied, lease)
    }
    guard let stamp = try? stamp.get() else { return }
    // Without it the views are made anew after a restart, and that is all.
    try? await log.stampViews(stamp)
  }
}

extension Keeper {
  /// Commits what is reduced, while the next is being reduced.
  func endFrame() throws {
    let frame = try pipeline.stage.with { workspace throws(LMDBError) in
      pipeline.backlog.withLock { $0.beganCommit() }
      return try workspace.freeze()
    }
    guard let frame, pipeline.waitUntilDurable(frame.applied.number) else { return }
    try write(frame)
    try pipeline.stage.with { workspace throws(LMDBError) in try workspace.committed() }
    try moveAwayFromReaders()
    pipeline.backlog.withLock { $0.inViews = frame.applied.number }
    pipeline.backlog.notify()
  }

  /// Writes a frame; where the map is full, it grows when nobody reads.
  private func write(_ frame: Frame) throws(LMDBError) {
    let file = current.file
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
}

/// What `body` returns, run on a thread of its own, where it may block.
func onThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async -> Result<R, any Error> {
  await answered { (answer: Answer<Result<R, any Error>>) in
    _ = WorkerThread { answer.resume(Result { try body() }) }
  }
}
