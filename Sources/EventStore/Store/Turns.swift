import Synchronization

/// A serial queue of operations, which run in the order in which they were requested.
package final class Turns: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Creates an empty queue.
  package init() {}

  /// Runs `body` once everything requested before is done, and returns its result.
  ///
  /// - Precondition: Not called from within a turn, which would wait for itself.
  package func take<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
    let turn = last.withLock { last in
      let turn = Task { [before = last] in
        await before?.value
        return await body()
      }
      last = Task { _ = await turn.value }
      return turn
    }
    return await turn.value
  }
}
