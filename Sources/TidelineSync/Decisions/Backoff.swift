import EventStore
import Tideline

/// How long to wait before something is tried again: longer each time, and never all at once.
struct Backoff {
  /// The wait that the first is drawn from.
  var first = Duration.seconds(1)
  /// The wait that none is longer than, unless the server wants it.
  var longest = Duration.seconds(300)

  /// A wait behind so many attempts, drawn by a number.
  ///
  /// - Parameters:
  ///   - attempts: How many there were.
  ///   - wanted: How long the server wants to be left alone at least.
  ///   - draw: A random number.
  func wait(behind attempts: Int, atLeast wanted: Duration?, draw: UInt64) -> Duration {
    let doublings = min(max(attempts - 1, 0), 20)
    let bound = min(first.milliseconds << Int64(doublings), longest.milliseconds)
    let share = Int64(draw % UInt64(max(bound, 1))) + 1
    guard let wanted else { return .milliseconds(share) }
    return wanted + .milliseconds(min(share, first.milliseconds))
  }
}

extension Timestamp {
  /// The moment so long after, or the last there is.
  func advanced(by duration: Duration) -> Timestamp {
    let (sum, isOver) = rawValue.addingReportingOverflow(duration.milliseconds)
    return Timestamp(rawValue: isOver ? .max : sum)
  }
}
