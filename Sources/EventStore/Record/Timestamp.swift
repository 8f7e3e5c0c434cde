/// A moment in time: milliseconds since 1970 in UTC.
///
/// The engine has no clock of its own; the recorder of an event supplies the time.
public struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let rawValue: Int64

  /// Creates the moment that many milliseconds after the beginning of 1970.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one is earlier than the other.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }
}

extension Timestamp: CustomStringConvertible {
  /// The moment, formatted as in `2026-11-20T09:30:00.000Z`.
  public var description: String {
    let (days, rest) = rawValue.quotientAndRemainder(flooring: 86_400_000)
    let (year, month, day) = Self.date(days: days)
    let seconds = rest / 1000
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.padded($0, 2) }
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
      + "T\(time.joined(separator: ":")).\(Self.padded(rest % 1000, 3))Z"
  }

  /// Returns the Gregorian date that many days after 1970-01-01, counted in eras of 400 years from
  /// March.
  private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooring: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (value < 0 ? "-" : "") + zeros + digits
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooring divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
