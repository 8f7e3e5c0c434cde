import Synchronization

/// Things that are done one after the other, in the order in which they were asked for.
package final class Turns: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Nothing that was asked for.
  package init() {}

  /// Does something when all is done that was asked for before; returns what it comes to.
  ///
  /// - Precondition: It is not called from within a turn, which would wait for itself.
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
