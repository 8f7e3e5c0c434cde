import LMDB
import Synchronization

/// Commits frames one after the other, each on a thread of its own while the next is reduced.
struct FrameRelay {
  private var writing: Writing?

  /// A frame that is being written, and how that ended.
  private struct Writing {
    let frame: Frame
    let file: ViewsFile
    let thread: WorkerThread
    let outcome: Outcome
  }

  private final class Outcome: Sendable {
    enum Kind {
      case written
      /// It was not to be written any more.
      case dropped
      case failed(LMDBError)
    }

    let kind = Mutex(Kind.dropped)
  }

  /// Begins to commit a frame, once `mayWrite` has returned `true`, and calls `end` when that is
  /// over; where it returned `false` nothing is written.
  ///
  /// - Precondition: The frame before was finished or abandoned.
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

  /// Returns how far the last frame goes, once it is committed; `nil` where there is none, or it
  /// was not written.
  ///
  /// What was written is let go of by then, so that its memory can be used again.
  ///
  /// - Parameter grow: Makes a map larger that is full, while nobody reads.
  mutating func finish(
    growing grow: (Environment) throws(LMDBError) -> Void
  ) throws(LMDBError) -> Applied? {
    guard let writing = writing.take() else { return nil }
    writing.thread.join()
    var kind = writing.outcome.kind.withLock { $0 }
    while case .failed(let error) = kind {
      guard error.code == .mapFull else { throw error }
      try grow(writing.file.environment)
      kind = Self.write(writing.frame, in: writing.file)
    }
    if case .dropped = kind { return nil }
    return writing.frame.applied
  }

  /// Waits for what is being written, which counts for nothing.
  mutating func abandon() {
    writing?.thread.join()
    writing = nil
  }

  private static func write(_ frame: Frame, in file: ViewsFile) -> Outcome.Kind {
    do throws(LMDBError) { try file.write(frame) } catch { return .failed(error) }
    return .written
  }
}
