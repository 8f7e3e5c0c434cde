import EventStore
import Tideline

/// Randomized, exponentially growing waits between attempts.
struct Backoff {
  /// The upper bound of the first wait.
  var first = Duration.seconds(1)
  /// The longest wait, unless the server requests a longer one.
  var longest = Duration.seconds(300)

  /// Returns the wait after a number of attempts.
  ///
  /// - Parameters:
  ///   - attempts: The number of attempts so far.
  ///   - wanted: The minimum wait that the server requests.
  ///   - draw: A random number.
  func wait(after attempts: Int, atLeast wanted: Duration?, draw: UInt64) -> Duration {
    let doublings = min(max(attempts - 1, 0), 20)
    let bound = min(first.milliseconds << Int64(doublings), longest.milliseconds)
    let share = Int64(draw % UInt64(max(bound, 1))) + 1
    guard let wanted else { return .milliseconds(share) }
    return max(wanted + .milliseconds(min(share, first.milliseconds)), .milliseconds(share))
  }
}

extension Timestamp {
  /// Returns the time after a duration, clamped to the last representable time.
  func advanced(by duration: Duration) -> Timestamp {
    let (sum, isOver) = rawValue.addingReportingOverflow(duration.milliseconds)
    return Timestamp(rawValue: isOver ? .max : sum)
  }
}
