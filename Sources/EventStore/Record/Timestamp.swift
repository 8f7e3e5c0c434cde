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

  /// Returns the milliseconds since another moment, clamped to what an `Int64` holds: a clock and a
  /// log may contain any time.
  package func milliseconds(since other: Timestamp) -> Int64 {
    let (distance, isBeyond) = rawValue.subtractingReportingOverflow(other.rawValue)
    return isBeyond ? (other < self ? .max : .min) : distance
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment, formatted as in `2026-11-20T09:30:00.000Z`.
  public var description: String {
    let (days, rest) = rawValue.quotientAndRemainder(flooring: 86_400_000)
    let (year, month, day) = Self.date(days: days)
    let seconds = rest / 1000
    var text: [UInt8] = []
    text.reserveCapacity(24)
    text.append(year, digits: 4, then: "-")
    text.append(month, digits: 2, then: "-")
    text.append(day, digits: 2, then: "T")
    text.append(seconds / 3600, digits: 2, then: ":")
    text.append(seconds / 60 % 60, digits: 2, then: ":")
    text.append(seconds % 60, digits: 2, then: ".")
    text.append(rest % 1000, digits: 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
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
}

extension [UInt8] {
  /// Appends a number with at least so many digits, and a character.
  fileprivate mutating func append(_ value: Int64, digits: Int, then end: Unicode.Scalar) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var unit: UInt64 = 1
    for _ in 1..<digits { unit *= 10 }
    while value.magnitude / unit >= 10 { unit *= 10 }
    while unit > 0 {
      append(UInt8(ascii: "0") + UInt8(value.magnitude / unit % 10))
      unit /= 10
    }
    append(UInt8(ascii: end))
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooring divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
