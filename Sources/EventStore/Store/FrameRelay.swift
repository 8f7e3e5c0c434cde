import LMDB
import Synchronization

/// Commits the frames of a workspace one after the other, each on a thread of its own while the
/// next is reduced.
struct FrameRelay {
  private let file: ViewsFile
  private var writing: Writing?

  /// A frame that is being written, and how that ended.
  private struct Writing {
    let frame: Frame
    let thread: WorkerThread
    let outcome: Outcome
  }

  private final class Outcome: Sendable {
    let error = Mutex<LMDBError?>(nil)
  }

  init(_ file: ViewsFile) { self.file = file }

  /// Ends the frame, once the one before is committed, and begins to commit it.
  mutating func commit(_ workspace: Workspace) throws(LMDBError) {
    try finish(workspace)
    let (frame, outcome) = (try workspace.freeze(), Outcome())
    let thread = WorkerThread { [file] in
      do throws(LMDBError) { try file.write(frame) } catch { outcome.error.withLock { $0 = error } }
    }
    writing = Writing(frame: frame, thread: thread, outcome: outcome)
  }

  /// Returns once the last frame is committed; where the map is full it grows, as nobody reads.
  mutating func finish(_ workspace: Workspace) throws(LMDBError) {
    // What was written is let go of by then, so that its memory can be used again.
    if try writeLast(workspace) { try workspace.committed() }
  }

  /// Sees the last frame written; `false` where there is none.
  private mutating func writeLast(_ workspace: Workspace) throws(LMDBError) -> Bool {
    guard let writing = writing.take() else { return false }
    writing.thread.join()
    var failure = writing.outcome.error.withLock { $0 }
    while let error = failure {
      guard error.code == .mapFull else { throw error }
      workspace.endReading()
      try file.environment.grow()
      do throws(LMDBError) {
        try file.write(writing.frame)
        failure = nil
      } catch {
        failure = error
      }
    }
    return true
  }

  /// Waits for what is being written, which counts for nothing.
  mutating func abandon() {
    writing?.thread.join()
    writing = nil
  }
}
