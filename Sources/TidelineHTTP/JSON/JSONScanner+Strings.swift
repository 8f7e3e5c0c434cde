import LMDB

extension JSONScanner {
  /// Steps over a string, quotes included.
  mutating func string() throws(JSONFault) -> JSONToken {
    let start = place
    var isEscaped = false
    place += 1
    // Most texts are short.
    place += bytes.plainCountOfEight(from: place)
    if place == start + 9 { place += bytes.plainCountOfEight(from: place) }
    if place < bytes.byteCount, bytes.byte(at: place) == JSONByte.quote {
      place += 1
      return JSONToken(.string, start, place)
    }
    while true {
      place += bytes.plainCount(from: place, &isEscaped)
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

  /// Steps over non-ASCII bytes, and notes the first invalid UTF-8.
  private mutating func skipWideText() {
    while place < bytes.byteCount, bytes.byte(at: place) >= 0x80 {
      let length = bytes.wideLength(at: place)
      if length == 0, firstBadText == nil { firstBadText = place }
      place += max(length, 1)
    }
  }
}

extension RawSpan {
  /// Appends the text of a string that a scanner found in these bytes, with its escapes resolved.
  ///
  /// Lone surrogates become U+FFFD.
  package func appendText(of string: JSONToken, to text: inout [UInt8]) {
    let content = extracting(string.content)
    // An escape is never shorter than the character it stands for.
    let start = text.count
    text.extend(by: content.byteCount)
    let end = text.withMutableBytes { content.copyText(into: &$0, at: start) }
    text.removeLast(text.count - end)
  }

  /// Writes the bytes with their escapes resolved, from an offset on; returns the end offset.
  private func copyText(into text: inout MutableRawSpan, at start: Int) -> Int {
    var (place, written) = (0, start)
    while true {
      copyPlain(from: &place, into: &text, at: &written)
      guard place < byteCount else { return written }
      // The only kind of escape left here is a character's number.
      place += 2
      for unit in scalarBytes(at: &place) { text.store(unit, at: &written) }
    }
  }

  /// Returns the UTF-8 of four digits, or of two groups of four, and steps over them.
  private func scalarBytes(at place: inout Int) -> Unicode.UTF8.EncodedScalar {
    let first = unit(at: place)
    place += 4
    var value = UInt32(first)
    if UTF16.isLeadSurrogate(first), place + 6 <= byteCount, byte(at: place) == JSONByte.backslash,
      byte(at: place + 1) == JSONByte.u, case let second = unit(at: place + 2),
      UTF16.isTrailSurrogate(second)
    {
      value = (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF + 0x10000
      place += 6
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    return UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
  }

  private func unit(at place: Int) -> UInt16 {
    var unit: UInt16 = 0
    for offset in 0..<4 {
      unit = unit << 4 | (JSONByte.hexadecimal(byte(at: place + offset)) ?? 0)
    }
    return unit
  }
}

extension MutableRawSpan {
  /// Writes a byte and advances the offset.
  @inline(__always)
  @_lifetime(self: copy self)
  fileprivate mutating func store(_ byte: UInt8, at offset: inout Int) {
    store(integer: byte, at: offset)
    offset += 1
  }
}
