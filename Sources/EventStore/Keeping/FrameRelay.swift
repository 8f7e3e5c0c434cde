import LMDB
import Synchronization

/// Commits frames one after another, each on its own thread while the next is reduced.
struct FrameRelay {
  private var writing: Writing?

  /// A frame being written, and the outcome.
  private struct Writing {
    let frame: Frame
    let file: ViewsFile
    let thread: WorkerThread
    let outcome: Outcome
  }

  private final class Outcome: Sendable {
    enum Kind {
      /// The frame was written within a time.
      case written(Duration)
      /// The frame was no longer to be written.
      case dropped
      case failed(LMDBError)
    }

    let kind = Mutex(Kind.dropped)
  }

  /// Begins to commit a frame once `mayWrite` has returned `true`, and calls `end` when that is
  /// over; writes nothing if `mayWrite` returned `false`.
  ///
  /// - Precondition: The previous frame was finished or abandoned.
  mutating func begin(
    _ frame: Frame, in file: ViewsFile, when mayWrite: @escaping @Sendable () -> Bool = { true },
    then end: @escaping @Sendable () -> Void = {}
  ) {
    precondition(writing == nil, "the frame before is not committed")
    let outcome = Outcome()
    let thread = WorkerThread {
      defer { end() }
      guard mayWrite() else { return }
      let kind = Self.write(frame, in: file)
      outcome.kind.withLock { $0 = kind }
    }
    writing = Writing(frame: frame, file: file, thread: thread, outcome: outcome)
  }

  /// Returns how far the last frame goes once it is committed, and how long that took, or `nil` if
  /// there is none or it was not written.
  ///
  /// By then, the written data is released and its memory can be reused.
  ///
  /// - Parameter grow: Enlarges a full map while nobody reads.
  mutating func finish(
    growing grow: (Environment) throws(LMDBError) -> Void
  ) throws(LMDBError) -> (applied: LogPoint, took: Duration)? {
    guard let writing = writing.take() else { return nil }
    writing.thread.join()
    var kind = writing.outcome.kind.withLock { $0 }
    while case .failed(let error) = kind {
      guard error.code == .mapFull else { throw error }
      try grow(writing.file.environment)
      kind = Self.write(writing.frame, in: writing.file)
    }
    guard case .written(let took) = kind else { return nil }
    return (writing.frame.applied, took)
  }

  /// Waits for the frame being written, and ignores the outcome.
  mutating func abandon() {
    writing?.thread.join()
    writing = nil
  }

  private static func write(_ frame: Frame, in file: ViewsFile) -> Outcome.Kind {
    let start = Instant.now
    do throws(LMDBError) { try file.write(frame) } catch { return .failed(error) }
    return .written(Instant.now - start)
  }
}
