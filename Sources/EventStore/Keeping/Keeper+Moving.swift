import LMDB
import Synchronization

/// Abandoning a generation whose file a reader holds.
extension Keeper {
  /// Moves the views to a compacted copy if a reader that has long not advanced has made their file
  /// grow; the reader keeps the file it reads.
  ///
  /// Call this after a frame is committed. If the copy fails, as for lack of space, the views stay
  /// where they are.
  func moveAwayFromReaders() throws {
    let (file, watch) = (current.file, holdWatch.withLock { $0 })
    guard try file.environment.lastTransaction % watch.limits.stride == 0 else { return }
    // The slot of a dead process would count as a reader that never advances.
    let sight = try file.holdSight()
    guard watch.isHeld(sight), try file.environment.clearStaleReaders() >= 0,
      try watch.isHeld(file.holdSight())
    else { return }
    let copy: OpenViews
    do {
      copy = try self.copy(of: file)
    } catch {
      return holdWatch.withLock { $0.failedAt = sight.pages }
    }
    if try move(to: copy) { return }
    copy.close()
    _ = try? folder.tidy(lease)
    holdWatch.withLock { $0.failedAt = sight.pages }
  }

  private func copy(of file: ViewsFile) throws -> OpenViews {
    let generation = try folder.begin(lease, log: log.standing())
    do {
      try file.environment.copy(to: generation.folder.path, compacting: true)
      return try OpenViews(generation, of: current.incarnation, definitions, options)
    } catch {
      // A partial copy takes up space that may already be short.
      generation.release()
      _ = try? folder.tidy(lease)
      throw error
    }
  }

  /// Switches to a copy; returns `false` if that is impossible now.
  private func move(to copy: OpenViews) throws -> Bool {
    let left = current
    let base = ViewsBase(copy.file)
    guard try pipeline.stage.goOver(to: { _ in base }, log) else { return false }
    views.withLock { $0 = copy }
    var standing = try log.standing()
    standing.incarnation = copy.incarnation
    try folder.swapIn(
      copy.generation, lease, log: standing, recipe: definitions.recipe, boot: options.boot())
    // Readers of the old file in this process are waited for on another thread.
    let thread = WorkerThread { [folder, lease] in
      left.close()
      _ = try? folder.tidy(lease)
    }
    leaving.withLock { $0.append(thread) }
    return true
  }

  /// Waits until the abandoned generations are closed.
  func waitForLeaving() async {
    let threads = leaving.withLock { threads in
      defer { threads = [] }
      return threads
    }
    guard !threads.isEmpty else { return }
    _ = await onThread { threads.forEach { $0.join() } }
  }
}
