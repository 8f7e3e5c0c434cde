import LMDB

/// Who is reading, so that the files are closed behind the last of them.
final class Readership: Sendable {
  private struct State {
    var count = 0
    var isClosed = false
  }

  private let state = Monitor(State())

  /// Counts one more; `false` where it is closed.
  func enter() -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.count += 1
      return true
    }
  }

  /// Counts one less.
  func leave() {
    let isAwaited = state.withLock { state in
      state.count -= 1
      return state.isClosed && state.count == 0
    }
    if isAwaited { state.notify() }
  }

  /// Lets nobody in any more, and returns once the last has left.
  func close() {
    state.withLock { $0.isClosed = true }
    _ = state.withLock(when: { $0.count == 0 }) { _ in }
  }
}
