import LMDB
import Synchronization

/// What a process has of a store's views while another keeps them: the generation that the other
/// commits to, and the pipeline that shows what the log has beyond it.
///
/// What was reduced and is not committed yet is held in memory, as in the keeper; it is never
/// written, but dropped once the keeper has committed as much.
package final class Follower: ViewsRole {
  let log: Log
  let folder: ViewsFolder
  let pipeline: Pipeline
  private let definitions: Definitions
  private let options: StoreOptions
  private let views: Mutex<OpenViews>
  /// The keeper's last commit that was gone over to.
  private let seen = Mutex<UInt64>(0)
  private let thread = ViewsThread()
  /// Is told where the lease may have become free.
  private let onFreeLease: @Sendable () -> Void

  /// Shows the current generation on a stage; `nil` where there is none that can be trusted.
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

  /// The generation that is read, and its file.
  var current: OpenViews { views.withLock { $0 } }

  /// Begins to follow the log; where that fails, everything is given back.
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

  /// Why nothing more is shown, where that is so.
  var failure: StoreError? { thread.failure }

  /// Returns once everything that is in the log now is committed, by whoever keeps the views.
  func commit() throws {
    let last = try log.last
    pipeline.commit(upTo: last)
    if let failure { throw failure }
  }

  /// Whoever looks next finds out by himself.
  func distrust() {}

  /// The records that are left out, since reducing them ended a process.
  var skipped: [RecordNumber] { pipeline.stage.with { $0.skipped.sorted() } ?? [] }

  /// Goes no further; what is shown stays on the stage.
  func pause() async {
    await log.unfollow()
    pipeline.close()
    await thread.ended()
  }

  /// Ends, and gives everything back.
  func stop() async {
    await pause()
    _ = await onThread { [self] in writeFirstScreen() }
    pipeline.stage.clear()
    current.close()
  }

  /// Goes over to what is committed.
  func endFrame() throws {
    let next = try movedViews()
    let file = (next ?? current).file
    let last = try file.environment.lastTransaction
    let isNewer = seen.withLock { $0 != last } || next != nil
    let base = next.map { ViewsBase($0.file) }
    // The reader that is kept can go over to another state of its file.
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

  /// There is none that is being written.
  func finishFrame() {}

  /// There is none that is being written.
  func abandonFrame() {}

  /// Begins a frame anew: at once where it `isBehind`, so that it is tried again.
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

  /// The current generation, opened, where it is another than the one that is read.
  private func movedViews() throws -> OpenViews? {
    let pointer = try ViewsPointer.read(in: folder.folder)
    guard let pointer, pointer.generation != current.generation.number else { return nil }
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
