import Synchronization

/// A task that runs for as long as its owner needs it.
package final class OwnedTask: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Creates an owner of no task.
  package init() {}

  /// Starts a task, and cancels the previous one.
  package func begin(_ body: @escaping @Sendable () async -> Void) {
    task.withLock { task in
      task?.cancel()
      task = Task { await body() }
    }
  }

  /// Cancels the task.
  package func end() { task.withLock { $0?.cancel() } }
}
