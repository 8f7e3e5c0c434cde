import BenchmarkHarness
import Foundation
import Synchronization

/// Tracks the peak private memory of this process, on a thread of its own.
final class MemoryHeight: Sendable {
  private let state: Mutex<State>

  private struct State {
    let before: Int?
    var most: Int?
    var isOver = false
  }

  /// Starts tracking.
  init() {
    let now = Self.now
    state = Mutex(State(before: now, most: now))
    Thread.detachNewThread { [self] in
      while look() { Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  /// Stops tracking, and returns the KiB by which the peak exceeded the beginning.
  func end() -> Int? {
    _ = look()
    return state.withLock { state in
      state.isOver = true
      guard let most = state.most, let before = state.before else { return nil }
      return most - before
    }
  }

  private func look() -> Bool {
    let now = Self.now
    return state.withLock { state in
      if let now { state.most = max(state.most ?? now, now) }
      return !state.isOver
    }
  }

  private static var now: Int? { ProcessFile("/proc/self/status").number(after: "RssAnon:") }
}
