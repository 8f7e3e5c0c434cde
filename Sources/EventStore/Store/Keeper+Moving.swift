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
    try move(to: copy)
  }

  private func copy(of file: ViewsFile) throws -> OpenViews {
    let generation = try folder.begin(lease, log: log.standing())
    do {
      try file.environment.copy(to: generation.folder.path, compacting: true)
    } catch {
      generation.release()
      throw error
    }
    return try OpenViews(generation, definitions, options)
  }

  private func move(to copy: OpenViews) throws {
    let left = current
    let base = ViewsBase(copy.file)
    guard try pipeline.stage.goOver(to: { _ in base }, log) else { return copy.close() }
    views.withLock { $0 = copy }
    try folder.swapIn(
      copy.generation, lease, log: log.standing(), recipe: definitions.recipe,
      boot: options.boot())
    // Who of this process still reads the old file is waited for elsewhere.
    _ = WorkerThread { [folder, lease] in
      left.close()
      _ = try? folder.tidy(lease)
    }
  }
}
