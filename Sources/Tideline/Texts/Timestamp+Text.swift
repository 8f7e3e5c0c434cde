package import EventStore

extension Timestamp {
  /// Parses a time in any form that servers and their SDKs are known to write; `nil` if it is
  /// unclear.
  ///
  /// - Digits: seconds since 1970, or milliseconds from 100,000,000,000 on, with or without a
  ///   fraction.
  /// - ISO 8601, with `T` or a space, with or without seconds, a fraction and a zone.
  /// - As in mail headers: `Tue, 14 Nov 2023 22:13:20 +0000`.
  /// - As on a screen: `Nov 14, 2023 at 10:13 PM`, `11/14/23, 10:13:20 PM`, `14.11.2023 22:13`.
  ///   With slashes the month comes first, unless that is no valid month; with dots the day.
  ///
  /// A time without a zone is taken as UTC. Times outside the years 1 to 9999 are rejected.
  ///
  /// - Complexity: O(*n*).
  package init?(text: String) {
    if let moment = Self.counted(text) {
      self = moment
    } else {
      guard text.utf8.count <= Self.textBytesMax else { return nil }
      var scanner = MomentScanner(text)
      guard let moment = scanner.moment() else { return nil }
      self = moment
    }
  }

  /// The most bytes in the text of a time.
  private static let textBytesMax = 64

  /// The number from which digits count milliseconds: the year 5138 in seconds, or March 1973.
  private static let secondsMax = 1e11

  /// Parses a number of seconds or milliseconds since 1970.
  private static func counted(_ text: String) -> Timestamp? {
    let characters = Set("0123456789+-.eE")
    guard text.utf8.count <= textBytesMax, text.allSatisfy(characters.contains),
      let number = Double(text)
    else { return nil }
    let milliseconds = number.magnitude < secondsMax ? number * 1000 : number
    guard let moment = Int64(exactly: milliseconds.rounded()) else { return nil }
    return Timestamp(checked: moment)
  }

  /// Creates a time within the years 1 to 9999.
  private init?(checked milliseconds: Int64) {
    guard -62_135_596_800_000..<253_402_300_800_000 ~= milliseconds else { return nil }
    self.init(rawValue: milliseconds)
  }

  /// Creates a time in UTC from its parts; `nil` if the date is out of range.
  init?(year: Int, month: Int, day: Int, secondOfDay: Int, millisecond: Int, offsetMinutes: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...Self.days(in: month, of: year) ~= day else {
      return nil
    }
    // The days since the first of March of the year 0, in which a leap day is a year's last.
    let shifted = Int64(month > 2 ? year : year - 1)
    let dayOfYear = (153 * (Int64(month) + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(day) - 1
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    let seconds = days * 86_400 + Int64(secondOfDay) - Int64(offsetMinutes) * 60
    self.init(checked: seconds * 1000 + Int64(millisecond))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
