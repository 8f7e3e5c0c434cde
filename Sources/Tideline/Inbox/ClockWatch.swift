import EventStore
import Synchronization

/// Detects that the clock was set, by comparing it with a clock that can't be set.
final class ClockWatch: Sendable {
  /// The smallest difference that counts as a jump: clocks are constantly adjusted a little.
  static let leastJump = Duration.seconds(2)

  private struct State {
    /// The time at which the other clock started, as of the last comparison.
    var beginning: Duration?
    /// The jumps of the clock that nobody has taken yet, in total.
    var jump: Duration?

    mutating func add(_ more: Duration) { jump = (jump ?? .zero) + more }
  }

  private let state = Mutex(State())

  /// Compares the two clocks; returns whether the settable one turns out to have been set.
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

  /// Takes the total of all jumps since the last call; returns `nil` if there were none.
  func take() -> Duration? {
    state.withLock { state in
      defer { state.jump = nil }
      return state.jump
    }
  }

  /// Returns a jump that could not be recorded, for the next `take()`.
  func putBack(_ jump: Duration) { state.withLock { $0.add(jump) } }
}
