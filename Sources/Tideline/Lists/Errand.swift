import Synchronization

/// What is done for as long as something else is there.
package final class Errand: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// None that has begun.
  package init() {}

  /// Begins something, and ends what was done before.
  package func begin(_ body: @escaping @Sendable () async -> Void) {
    task.withLock { task in
      task?.cancel()
      task = Task { await body() }
    }
  }

  /// Ends it.
  package func end() { task.withLock { $0?.cancel() } }
}
