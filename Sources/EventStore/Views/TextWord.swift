import LMDB

/// The first eight bytes of a text as a word of a sort key: weakly monotone in the order
/// of ``TextOrder``.
///
/// Each ASCII character is a byte, the rest is filled with zeros. What begins with a scalar that is
/// not ASCII in NFC becomes the byte 0x80 and ends the word, so that all such texts tie there; the
/// characters U+0000 and U+0001 both become the byte 0x01 and end it as well. So only texts of
/// those two sorts, and those of eight characters and more, can have the same word and differ.
/// No text at all is 0, and the empty text 1.
package enum TextWord {
  /// The word of the empty text.
  package static let empty: UInt64 = 1
  private static let beyondASCII: UInt64 = 0x80
  private static let control: UInt64 = 0x01

  /// The word of a text in UTF-8.
  ///
  /// - Complexity: O(1), without allocation, where all that stands at its beginning is plain.
  package static func word(of text: RawSpan) -> UInt64 {
    if text.byteCount > 8 {
      let first = text.integer(UInt64.self, at: 0)
      if isPrintable(first) && text.byte(at: 8) < 0x80 { return first.byteSwapped }
    }
    return text.byteCount == 0 ? empty : scan(text)
  }

  /// Whether all texts with this word are the same in order.
  @inline(__always)
  package static func isConclusive(_ word: UInt64) -> Bool {
    guard word > empty else { return true }
    let last = word >> UInt64(word.trailingZeroBitCount & ~7) & 0xFF
    return word & 0xFF == 0 && last != control && last != beyondASCII
  }

  /// Whether all eight bytes are ASCII and none is 0 or 1.
  @inline(__always)
  private static func isPrintable(_ bytes: UInt64) -> Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    return (bytes | bytes &- 0x0202_0202_0202_0202) & high == 0
  }

  private static func scan(_ text: RawSpan) -> UInt64 {
    var word: UInt64 = 0
    var offset = 0
    while offset < min(text.byteCount, 8) {
      let count = PlainScalar.count(in: text, at: offset)
      guard count > 0, PlainScalar.isBoundary(in: text, at: offset + count) else {
        return word | scanScalars(text.extracting(offset..<text.byteCount), after: offset)
      }
      let byte = count == 1 ? UInt64(text.byte(at: offset)) : beyondASCII
      word |= max(byte, control) << UInt64(56 - 8 * offset)
      if byte <= control || byte == beyondASCII { break }
      offset += 1
    }
    return word
  }

  /// The bytes of a word from the one at `offset` on, for text whose NFC form has to be asked for.
  ///
  /// A text isn't less than U+0080 if, and only if, the first scalar of its NFC form is not ASCII;
  /// so the order itself tells what that form begins with.
  private static func scanScalars(_ text: RawSpan, after offset: Int) -> UInt64 {
    var rest = Substring(text.text ?? "").unicodeScalars
    var word: UInt64 = 0
    for shift in stride(from: UInt64(56 - 8 * offset), through: 0, by: -8) {
      guard let scalar = rest.first else { break }
      let isBeyond = Substring(rest) >= "\u{80}"
      let byte = isBeyond ? beyondASCII : UInt64(simplified(scalar).value)
      word |= max(byte, control) << shift
      if byte <= control || byte == beyondASCII { break }
      rest.removeFirst()
    }
    return word
  }

  /// The scalar, or for the three that in NFC are an ASCII character, that one.
  package static func simplified(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{212A}": "K"
    case "\u{037E}": ";"
    case "\u{1FEF}": "`"
    default: scalar
    }
  }
}
