import LMDB
import Synchronization

/// The state of a process whose views another process keeps: the generation that the other commits
/// to, and the pipeline that shows what the log has beyond it.
///
/// Reduced records that are not committed yet are held in memory, as in the keeper. They are never
/// written, but dropped once the keeper has committed as much.
package final class Follower: ViewsRole {
  let log: Log
  let folder: ViewsFolder
  let pipeline: Pipeline
  private let definitions: Definitions
  private let options: StoreOptions
  private let views: Mutex<OpenViews>
  /// The keeper's last commit that this follower switched to.
  private let seen = Mutex<UInt64>(0)
  private let thread = ViewsThread()
  /// Called when the lease may have become free.
  private let onFreeLease: @Sendable () -> Void

  /// Shows the current generation on a stage, or returns `nil` if none can be trusted.
  init?(_ opening: FollowerOpening, onFreeLease: @escaping @Sendable () -> Void) throws {
    guard let views = try opening.open() else { return nil }
    (log, folder) = (opening.log, opening.folder)
    (definitions, options) = (opening.definitions, opening.options)
    self.views = Mutex(views)
    self.onFreeLease = onFreeLease
    do {
      let (committed, reduced) = try opening.show(views)
      pipeline = Pipeline(
        opening.stage,
        Backlog(
          keeping: false, applied: reduced, inViews: committed, isNew: false,
          limits: options.overlay.frame), definitions.reducer)
    } catch {
      opening.stage.clear()
      views.close()
      throw error
    }
  }

  /// The generation being read, and its file.
  var current: OpenViews { views.withLock { $0 } }

  /// Begins to follow the log; if that fails, releases everything.
  func start() throws {
    do { try log.follow(pipeline) } catch {
      log.dropFollower()
      pipeline.abandon()
      pipeline.stage.clear()
      current.close()
      throw error
    }
    thread.start(self)
  }

  /// The reason that nothing more is shown, if so.
  var failure: StoreError? { thread.failure }

  /// Waits until everything now in the log is committed by whichever process keeps the views.
  ///
  /// - Throws: `busy` if that process has committed nothing for ``StoreOptions/keeperPatience``.
  func commit() throws {
    let last = try log.last
    let isOver = pipeline.commit(upTo: last, patience: options.keeperPatience)
    if let failure { throw failure }
    guard isOver else { throw StoreError.busy(path: folder.folder.path) }
  }

  /// Does nothing: the next reader finds out by itself.
  func distrust() {}

  /// Closes the views.
  func leave() { current.close() }

  /// The records that are skipped because reducing them ended a process.
  var skipped: [RecordNumber] { pipeline.stage.with { $0.skipped.sorted() } ?? [] }

  /// Stops following the log; what is shown stays on the stage.
  func pause() async {
    await log.unfollow()
    pipeline.close()
    await thread.ended()
  }

  /// Ends, and releases everything.
  func stop() async {
    await pause()
    _ = await onThread { [self] in writeFirstScreen() }
    pipeline.stage.clear()
    // Closing waits for whoever still reads.
    _ = await onThread { [self] in current.close() }
  }

  /// Switches to what is committed.
  func endFrame() throws {
    let next = try movedViews()
    let file = (next ?? current).file
    let last = try file.environment.lastTransaction
    let isNewer = seen.withLock { $0 != last } || next != nil
    let base = next.map { ViewsBase($0.file) }
    // The existing reader can move to another state of its file.
    let isOver = try isNewer && pipeline.stage.goOver(to: { base ?? $0.base }, log)
    guard isOver || !isNewer else {
      next?.close()
      return try noteState(isBehind: true)
    }
    seen.withLock { $0 = last }
    try noteState(isBehind: false)
    if let next { leave(for: next) }
    onFreeLease()
  }

  /// Does nothing: a follower writes no frames.
  func finishFrame() {}

  /// Does nothing: a follower writes no frames.
  func abandonFrame() {}

  /// Begins a new frame: at once if the follower `isBehind`, so that it tries again.
  private func noteState(isBehind: Bool) throws {
    try pipeline.stage.with { workspace in
      let committed = try workspace.committedNumber
      let (reduced, bytes) = (workspace.applied.number, workspace.byteCount)
      pipeline.backlog.withLock { backlog in
        backlog.wentOver(to: committed, reduced: reduced, bytes: bytes)
        if isBehind { backlog.frame.reduced(now: .now) }
      }
    }
    pipeline.backlog.notify()
    pipeline.serve()
  }

  /// Opens the current generation if it is not the one being read.
  ///
  /// - Throws: `otherRules` if it is made by other rules; `lost` if it is made from another copy of
  ///   the log, whose differences nobody could be told.
  private func movedViews() throws -> OpenViews? {
    let pointer = try ViewsPointer.read(in: folder.folder)
    guard let pointer, pointer.generation != current.generation.number else { return nil }
    guard pointer.incarnation == current.incarnation else { throw ViewsError.lost(.otherCopy) }
    guard pointer.recipe == definitions.recipe else {
      throw StoreError.otherRules(path: folder.folder.path)
    }
    return try FollowerOpening.open(log, folder, definitions, options)
  }

  private func leave(for next: OpenViews) {
    let left = views.withLock { views in
      defer { views = next }
      return views
    }
    left.close()
  }
}
