package import EventStore
import Tideline
import TidelineSync

/// The delay that a server asks for before the next request.
package enum RetryAfter {
  /// The longest delay that is honored, in milliseconds: one day.
  static let millisecondsMax = ServerFailure.retryAfterMax.milliseconds

  /// Returns the delay in an answer's `Retry-After`, in milliseconds, from seconds or a date; or
  /// `nil`.
  ///
  /// A date is relative to the answer's own `Date`, as the clocks may differ, or else to `now`. A
  /// date in the past gives 0.
  package static func milliseconds(of answer: HTTPAnswer, at now: Timestamp) -> Int64? {
    guard let text = answer.headers["retry-after"]?.trimmed, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      guard let seconds = Int64(text) else { return millisecondsMax }
      return min(seconds, millisecondsMax / 1000) * 1000
    }
    guard let moment = date(text) else { return nil }
    let sent = answer.headers["date"].flatMap { date($0.trimmed) } ?? now
    return min(max(moment.milliseconds(since: sent), 0), millisecondsMax)
  }

  /// Returns the moment of a date in any of the three forms of RFC 9110, section 5.6.7.
  private static func date(_ text: String) -> Timestamp? {
    // All forms begin with the day of the week, and two end with the zone.
    var parts = text.split { " -,".contains($0) }.dropFirst().map(String.init)
    if parts.last == "GMT" { parts.removeLast() }
    guard parts.count == 4 else { return nil }
    // As in `Sun Nov  6 08:49:37 1994`.
    if Int(parts[0]) == nil { parts = [parts[1], parts[0], parts[3], parts[2]] }
    // As in `Sunday, 06-Nov-94 08:49:37 GMT`.
    if parts[2].count == 2, let year = Int(parts[2]) {
      parts[2] = String(year + (year < 70 ? 2000 : 1900))
    }
    return Timestamp(text: parts.joined(separator: " "))
  }
}

extension String {
  fileprivate var trimmed: String {
    let spaces: Set<Character> = [" ", "\t"]
    return String(drop(while: spaces.contains).reversed().drop(while: spaces.contains).reversed())
  }
}
