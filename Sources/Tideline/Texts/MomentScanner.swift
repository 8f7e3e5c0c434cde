import EventStore

/// Parses dates and times written for people or by programs, token by token.
struct MomentScanner {
  /// A token of the text.
  private enum Token: Equatable {
    case number(Int, digits: Int)
    case word(String)
    case mark(Character)
  }

  private var tokens: ArraySlice<Token>

  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var secondOfDay: Int?
  private var millisecond = 0
  private var offsetMinutes: Int?
  /// Whether the previous token was a `T`.
  private var isBehindT = false

  init(_ text: String) {
    tokens = Self.tokens(of: text)[...]
  }

  /// Returns the time, or `nil` if any part of the text is not understood.
  mutating func moment() -> Timestamp? {
    while let token = tokens.popFirst() {
      guard take(token) else { return nil }
    }
    guard let year, let month, let day else { return nil }
    return Timestamp(
      year: year, month: month, day: day, secondOfDay: secondOfDay ?? 0,
      millisecond: millisecond, offsetMinutes: offsetMinutes ?? 0)
  }

  private mutating func take(_ token: Token) -> Bool {
    defer { isBehindT = token == .word("t") }
    return switch token {
    case .mark(","): true
    case .mark("+"), .mark("-"): takeOffset(isWest: token == .mark("-"))
    case .mark: false
    case .word(let word): take(word)
    case .number(let number, let digits): take(number, digits)
    }
  }

  private mutating func take(_ number: Int, _ digits: Int) -> Bool {
    switch tokens.first {
    case .mark(":")?: takeTime(hour: number)
    case .mark("-")? where year == nil, .mark("/")?: takeDate(number, digits)
    case .mark(".")?: takeDotted(number, digits)
    default: takeAlone(number, digits)
    }
  }
}

// Dates.
extension MomentScanner {
  /// Parses three numbers separated by the same mark.
  private mutating func takeDate(_ first: Int, _ digits: Int) -> Bool {
    guard day == nil, year == nil, month == nil, let mark = tokens.popFirst(),
      case .number(let second, _)? = tokens.popFirst(), tokens.popFirst() == mark,
      case .number(let third, let thirdDigits)? = tokens.popFirst()
    else { return false }
    if digits == 4 {
      (year, month, day) = (first, second, third)
    } else {
      let isMonthFirst = mark == .mark("/") && first <= 12
      (month, day) = isMonthFirst ? (first, second) : (second, first)
      year = thirdDigits == 4 ? third : Self.year(ofTwoDigits: third)
    }
    return true
  }

  /// Parses a date, or a day with an ordinal dot as in `14. November`.
  private mutating func takeDotted(_ number: Int, _ digits: Int) -> Bool {
    if case .word? = tokens.dropFirst().first {
      tokens.removeFirst()
      return takeAlone(number, digits)
    }
    return takeDate(number, digits)
  }

  /// Parses a number between words: the day, then the year.
  private mutating func takeAlone(_ number: Int, _ digits: Int) -> Bool {
    if digits <= 2, day == nil {
      day = number
    } else if digits == 8, year == nil, day == nil {
      (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
    } else if digits == 4, year == nil {
      year = number
    } else if isBehindT, digits == 4 || digits == 6 {
      // For example 20231114T221320Z.
      let time = digits == 4 ? number * 100 : number
      return setTime(time / 10_000, time / 100 % 100, time % 100)
    } else {
      return false
    }
    return true
  }

  private static func year(ofTwoDigits year: Int) -> Int { year < 70 ? 2000 + year : 1900 + year }

  private mutating func take(_ word: String) -> Bool {
    switch word {
    case "at", "t": return true
    case "z", "utc", "gmt": return secondOfDay != nil
    case "am", "pm": return takeHalf(isAfternoon: word == "pm")
    default: break
    }
    guard word.count >= 3 else { return false }
    if month == nil, let index = Self.months.firstIndex(where: { $0.hasPrefix(word) }) {
      month = index + 1
      return true
    }
    return Self.weekdays.contains { $0.hasPrefix(word) }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
}

// Times.
extension MomentScanner {
  private mutating func takeTime(hour: Int) -> Bool {
    _ = tokens.popFirst()
    guard case .number(let minute, 2)? = tokens.popFirst() else { return false }
    guard tokens.first == .mark(":") else { return setTime(hour, minute, 0) }
    _ = tokens.popFirst()
    guard case .number(let second, 2)? = tokens.popFirst() else { return false }
    guard setTime(hour, minute, second) else { return false }
    return takeFraction()
  }

  private mutating func setTime(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
    guard secondOfDay == nil, hour < 24, minute < 60, second <= 60 else { return false }
    secondOfDay = hour * 3600 + minute * 60 + second
    return true
  }

  private mutating func takeFraction() -> Bool {
    // A comma followed by fewer digits separates the time from the date.
    guard let mark = tokens.first,
      case .number(let fraction, let digits)? = tokens.dropFirst().first,
      mark == .mark(".") || mark == .mark(",") && digits >= 3
    else { return true }
    tokens = tokens.dropFirst(2)
    var milliseconds = fraction
    for _ in digits..<max(digits, 3) { milliseconds *= 10 }
    for _ in 3..<max(digits, 3) { milliseconds /= 10 }
    millisecond = milliseconds
    return true
  }

  private mutating func takeHalf(isAfternoon: Bool) -> Bool {
    guard let time = secondOfDay, 3600..<(13 * 3600) ~= time else {
      // The hour after midnight may be written as hour zero.
      return secondOfDay.map { $0 < 3600 } == true && !isAfternoon
    }
    secondOfDay = time % (12 * 3600) + (isAfternoon ? 12 * 3600 : 0)
    return true
  }

  /// Parses a zone as hours and minutes from UTC.
  private mutating func takeOffset(isWest: Bool) -> Bool {
    guard secondOfDay != nil, offsetMinutes == nil,
      case .number(let number, let digits)? = tokens.popFirst()
    else { return false }
    var (hours, minutes) = (number, 0)
    if digits == 4 {
      (hours, minutes) = (number / 100, number % 100)
    } else if digits == 2, tokens.first == .mark(":") {
      _ = tokens.popFirst()
      guard case .number(let rest, 2)? = tokens.popFirst() else { return false }
      minutes = rest
    } else if digits > 2 {
      return false
    }
    guard hours <= 18, minutes < 60 else { return false }
    offsetMinutes = (isWest ? -1 : 1) * (hours * 60 + minutes)
    return true
  }
}

// Parts.
extension MomentScanner {
  /// The most digits kept of a number.
  private static let digitsMax = 9

  /// Returns the numbers, words and marks of a text; whitespace only separates them.
  private static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      let isDigit = { (character: Character) in character.isASCII && character.isNumber }
      let digits = rest.prefix(while: isDigit)
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      if let number = Int(digits.prefix(digitsMax)) {
        tokens.append(.number(number, digits: min(digits.count, digitsMax)))
        rest = rest.dropFirst(digits.count)
      } else if !letters.isEmpty {
        tokens.append(.word(letters.lowercased()))
        rest = rest.dropFirst(letters.count)
      } else {
        if !first.isWhitespace { tokens.append(.mark(first)) }
        rest.removeFirst()
      }
    }
    return tokens
  }
}
