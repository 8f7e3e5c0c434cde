import LMDB

extension JSONScanner {
  /// Steps over a string, the quotes included.
  mutating func string() throws(JSONFault) -> JSONToken {
    let start = place
    var isEscaped = false
    place += 1
    while true {
      skipPlainText()
      let byte = try peek()
      if byte == JSONByte.quote { break }
      if byte == JSONByte.backslash {
        isEscaped = true
        try skipEscape()
      } else if byte >= 0x80 {
        skipWideText()
      } else if byte >= 0x20 {
        place += 1
      } else {
        throw unexpected
      }
    }
    place += 1
    return JSONToken(.string, start, place, isEscaped: isEscaped)
  }

  /// Steps over plain text, as far as there are eight bytes of it.
  @inline(__always)
  private mutating func skipPlainText() {
    var offset = place
    while offset + 8 <= bytes.byteCount {
      let stops = JSONWord.stops(bytes.integer(UInt64.self, at: offset))
      if stops != 0 {
        offset += stops.trailingZeroBitCount >> 3
        break
      }
      offset += 8
    }
    place = offset
  }

  private mutating func skipEscape() throws(JSONFault) {
    place += 1
    switch try peek() {
    case JSONByte.quote, JSONByte.backslash, 0x2F, 0x62, JSONByte.f, JSONByte.n, 0x72, JSONByte.t:
      place += 1
    case JSONByte.u:
      place += 1
      for _ in 0..<4 {
        guard JSONByte.hexadecimal(try peek()) != nil else { throw unexpected }
        place += 1
      }
    default: throw unexpected
    }
  }

  /// Steps over characters that are not ASCII, and notes where they are no characters.
  private mutating func skipWideText() {
    while place < bytes.byteCount, bytes.byte(at: place) >= 0x80 {
      let length = wideLength
      if length == 0, firstBadText == nil { firstBadText = place }
      place += max(length, 1)
    }
  }

  /// The bytes of the character that begins here, 0 where none does.
  private var wideLength: Int {
    let lead = bytes.byte(at: place)
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0...0)
      }
    guard length > 0, place + length <= bytes.byteCount,
      second.contains(bytes.byte(at: place + 1))
    else { return 0 }
    for offset in 2..<max(length, 2) {
      guard bytes.byte(at: place + offset) & 0xC0 == 0x80 else { return 0 }
    }
    return length
  }
}

extension RawSpan {
  /// Appends the text of a string that a scanner found in these bytes, without its escapes.
  ///
  /// Surrogates that are alone become U+FFFD.
  package func appendText(of string: JSONToken, to text: inout [UInt8]) {
    var place = string.content.lowerBound
    let end = string.content.upperBound
    while place < end {
      let run = place..<backslash(in: place..<end)
      text.append(copying: extracting(run))
      place = run.upperBound
      if place < end { place = appendEscaped(at: place + 1, before: end, to: &text) }
    }
  }

  /// Where the first backslash is, or the end.
  private func backslash(in range: Range<Int>) -> Int {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let found = JSONWord.backslashes(integer(UInt64.self, at: place))
      if found != 0 { return place + found.trailingZeroBitCount >> 3 }
      place += 8
    }
    while place < range.upperBound, byte(at: place) != JSONByte.backslash { place += 1 }
    return place
  }

  /// Appends what the letter behind a backslash stands for; returns where it ends.
  private func appendEscaped(at place: Int, before end: Int, to text: inout [UInt8]) -> Int {
    let letter = byte(at: place)
    switch letter {
    case 0x62: text.append(0x08)
    case JSONByte.f: text.append(0x0C)
    case JSONByte.n: text.append(0x0A)
    case 0x72: text.append(0x0D)
    case JSONByte.t: text.append(0x09)
    case JSONByte.u: return appendScalar(at: place + 1, before: end, to: &text)
    default: text.append(letter)
    }
    return place + 1
  }

  /// Appends what four digits stand for, or twice four; returns where they end.
  private func appendScalar(at place: Int, before end: Int, to text: inout [UInt8]) -> Int {
    let first = unit(at: place)
    var (value, next) = (UInt32(first), place + 4)
    if UTF16.isLeadSurrogate(first), next + 6 <= end, byte(at: next) == JSONByte.backslash,
      byte(at: next + 1) == JSONByte.u, case let second = unit(at: next + 2),
      UTF16.isTrailSurrogate(second)
    {
      value = (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF + 0x10000
      next += 6
    }
    append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &text)
    return next
  }

  private func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    if scalar.isASCII { return text.append(UInt8(truncatingIfNeeded: scalar.value)) }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { text.append(unit) }
  }

  private func unit(at place: Int) -> UInt16 {
    var unit: UInt16 = 0
    for offset in 0..<4 {
      unit = unit << 4 | (JSONByte.hexadecimal(byte(at: place + offset)) ?? 0)
    }
    return unit
  }
}
