import LMDB

/// The thread on which a role does its work, and how it ended.
final class ViewsThread: Sendable {
  private struct Ending {
    var hasBegun = false
    var hasEnded = false
    var failure: StoreError?
    var waiters: [ResumeOnce<Void>] = []
  }

  private let ending = Monitor(Ending())

  /// Starts the thread, which processes what the role's pipeline is told.
  func start(_ role: some ViewsRole) {
    ending.withLock { $0.hasBegun = true }
    _ = WorkerThread { [self] in
      var failure: (any Error)?
      do { try ViewsLoop(role).run() } catch { failure = error }
      end(role, failure)
    }
  }

  /// Notes why the thread failed.
  func fail(_ error: any Error, path: String) {
    ending.withLock { $0.failure = StoreError(error, path: path) }
  }

  /// Notes how the thread ended; the log goes on without it.
  private func end(_ role: some ViewsRole, _ error: (any Error)?) {
    if let error {
      fail(error, path: role.folder.folder.path)
      role.abandonFrame()
      role.giveUp(error)
    }
    let waiters = ending.withLock { ending in
      ending.hasEnded = true
      defer { ending.waiters = [] }
      return ending.waiters
    }
    role.pipeline.abandon()
    waiters.forEach { $0.resume(()) }
  }

  /// The reason the thread ended before it was told to, if it did.
  var failure: StoreError? { ending.withLock { $0.failure } }

  /// Waits until the thread has ended; returns at once if it never started.
  func ended() async {
    await answered { answer in
      let isOver = ending.withLock { ending in
        if ending.hasEnded || !ending.hasBegun { return true }
        ending.waiters.append(answer)
        return false
      }
      if isOver { answer.resume(()) }
    }
  }
}
