import EventStore
import Synchronization

/// Notices that the clock was set, by comparing it with one that nobody sets.
final class ClockWatch: Sendable {
  /// What is less is no jump: clocks are always being adjusted a little.
  static let leastJump = Duration.seconds(2)

  private struct State {
    /// What time it was when the other clock began, by the last look.
    var beginning: Duration?
    /// By how much the clock was set, as far as nobody took that yet.
    var jump: Duration?

    mutating func add(_ more: Duration) { jump = (jump ?? .zero) + more }
  }

  private let state = Mutex(State())

  /// Takes in what both clocks say; says whether the one turns out to have been set.
  func look(at now: Timestamp, _ uptime: Duration) -> Bool {
    let beginning = Duration.milliseconds(now.rawValue) - uptime
    return state.withLock { state in
      defer { state.beginning = beginning }
      let jump = state.beginning.map { beginning - $0 } ?? .zero
      guard max(jump, .zero - jump) > Self.leastJump else { return false }
      state.add(jump)
      return true
    }
  }

  /// By how much the clock was set since somebody last took that; `nil` where it was not.
  func take() -> Duration? {
    state.withLock { state in
      defer { state.jump = nil }
      return state.jump
    }
  }

  /// Has somebody else take a jump, as nothing came of it.
  func putBack(_ jump: Duration) { state.withLock { $0.add(jump) } }
}
