import LMDB

/// Writing JSON in bulk, directly as bytes, without intermediate strings.
extension [UInt8] {
  /// Appends a text as a JSON string, or nothing if it is not UTF-8; returns whether it was
  /// appended.
  ///
  /// - Complexity: O(n), without allocation if the text is ASCII.
  mutating func append(quoted text: RawSpan) -> Bool {
    let beginning = count
    append(UInt8(ascii: "\""))
    var (start, offset, bits) = (0, 0, 0 as UInt64)
    while offset < text.byteCount {
      if offset + 8 <= text.byteCount {
        let word = text.integer(UInt64.self, at: offset)
        if !word.hasEscaped {
          bits |= word
          offset += 8
          continue
        }
      }
      let byte = text.byte(at: offset)
      bits |= UInt64(byte)
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        append(copying: text.extracting(start..<offset))
        append(escaped: byte)
        start = offset + 1
      }
      offset += 1
    }
    append(copying: text.extracting(start..<offset))
    append(UInt8(ascii: "\""))
    guard bits & 0x8080_8080_8080_8080 == 0 || text.text != nil else {
      removeLast(count - beginning)
      return false
    }
    return true
  }

  private mutating func append(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    default:
      append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      append(hex: UInt64(byte), digits: 2)
    }
  }

  /// Appends an integer in decimal digits.
  mutating func append(decimal value: UInt64) {
    guard value >= 10 else { return append(0x30 + UInt8(truncatingIfNeeded: value)) }
    var (rest, start) = (value, count)
    while rest > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    var end = count - 1
    while start < end {
      swapAt(start, end)
      (start, end) = (start + 1, end - 1)
    }
  }

  /// Appends an integer in decimal digits, after a minus sign if it is negative.
  mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  /// Appends the lowest `digits` hexadecimal digits of a number.
  mutating func append(hex value: UInt64, digits: Int) {
    for place in stride(from: 4 * (digits - 1), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(place)) & 0xF
      append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Appends bytes as hexadecimal digits in quotes.
  mutating func append(quotedHex bytes: [UInt8]) {
    append(UInt8(ascii: "\""))
    for byte in bytes { append(hex: UInt64(byte), digits: 2) }
    append(UInt8(ascii: "\""))
  }
}

extension UInt64 {
  /// Whether any of the eight bytes must be escaped in a JSON string, or might have to be.
  @inline(__always)
  fileprivate var hasEscaped: Bool {
    let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let quotes = self ^ (ones &* 0x22)
    let strokes = self ^ (ones &* 0x5C)
    let small = (self &- ones &* 0x20) & ~self
    return (small | (quotes &- ones) & ~quotes | (strokes &- ones) & ~strokes) & tops != 0
  }
}
