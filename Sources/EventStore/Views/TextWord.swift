import LMDB

/// The first eight bytes of a text as a word of a sort key: weakly monotone in the order of
/// ``TextOrder``.
///
/// Each ASCII character is one byte, and the rest is zeros. Where a scalar isn't ASCII in NFC, the
/// byte 0x80 ends the word, so that all such texts tie there. The characters U+0000 and U+0001 both
/// become the byte 0x01, which also ends the word. So only those texts, and texts of at least eight
/// characters, can have the same word and differ. A missing text is 0, and the empty text 1.
package enum TextWord {
  /// The word of the empty text.
  package static let empty: UInt64 = 1
  private static let beyondASCII: UInt64 = 0x80
  private static let control: UInt64 = 0x01

  /// Returns the word of a UTF-8 text.
  ///
  /// - Complexity: O(1), without allocation, if the beginning of the text is plain.
  package static func word(of text: RawSpan) -> UInt64 {
    if text.byteCount > 8 {
      let first = text.integer(UInt64.self, at: 0)
      if isPrintable(first) && text.byte(at: 8) < 0x80 { return first.byteSwapped }
    }
    return text.byteCount == 0 ? empty : scan(text)
  }

  /// Whether all texts with this word have the same place in the order.
  @inline(__always)
  package static func isConclusive(_ word: UInt64) -> Bool {
    guard word > empty else { return true }
    let last = word >> UInt64(word.trailingZeroBitCount & ~7) & 0xFF
    return word & 0xFF == 0 && last != control && last != beyondASCII
  }

  /// Whether all eight bytes are ASCII, and none is 0 or 1.
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

  /// Returns the bytes of a word from `offset` on, for text that may differ from its NFC form.
  ///
  /// A text is at least U+0080 if, and only if, the first scalar of its NFC form isn't ASCII; so
  /// the order itself reveals how that form begins.
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

  /// Replaces the three scalars whose NFC form is an ASCII character by that character.
  package static func simplified(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{212A}": "K"
    case "\u{037E}": ";"
    case "\u{1FEF}": "`"
    default: scalar
    }
  }
}
