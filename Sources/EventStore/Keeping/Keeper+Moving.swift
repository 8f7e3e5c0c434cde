import LMDB
import Synchronization

/// Leaving a generation behind whose file a reader holds on to.
extension Keeper {
  /// Goes on in a compacted copy of the views, where a reader that has not moved on for long has
  /// made their file grow; it keeps the file that it reads.
  ///
  /// To be called when a frame was committed. Where there is no room for a copy the views stay
  /// where they are.
  func moveAwayFromReaders() throws {
    let (file, watch) = (current.file, holdWatch.withLock { $0 })
    guard try file.environment.lastTransaction % watch.limits.stride == 0 else { return }
    // The slot of a process that died would count as a reader that never moves on.
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
      // What was written of it takes room that may be missing already.
      generation.release()
      _ = try? folder.tidy(lease)
      throw error
    }
  }

  /// Goes on in a copy; `false` where that can't be now.
  private func move(to copy: OpenViews) throws -> Bool {
    let left = current
    let base = ViewsBase(copy.file)
    guard try pipeline.stage.goOver(to: { _ in base }, log) else { return false }
    views.withLock { $0 = copy }
    var standing = try log.standing()
    standing.incarnation = copy.incarnation
    try folder.swapIn(
      copy.generation, lease, log: standing, recipe: definitions.recipe, boot: options.boot())
    // Who of this process still reads the old file is waited for elsewhere.
    let thread = WorkerThread { [folder, lease] in
      left.close()
      _ = try? folder.tidy(lease)
    }
    leaving.withLock { $0.append(thread) }
    return true
  }

  /// Returns once the generations are closed that were left behind.
  func waitForLeaving() async {
    let threads = leaving.withLock { threads in
      defer { threads = [] }
      return threads
    }
    guard !threads.isEmpty else { return }
    _ = await onThread { threads.forEach { $0.join() } }
  }
}
