import LMDB

/// The scalars whose UTF-8 can be compared as is.
///
/// Swift's strings compare by the scalars of their NFC form. Most text is in that form already. To
/// recognize it without a table of all scalars, a few ranges are called **plain**: each scalar in
/// them is its own NFC form, has combining class 0, and never merges with what precedes it. So a
/// plain scalar followed by another plain one, or by the end, is exactly what its bytes say. ASCII,
/// Latin, Cyrillic, kana, common ideographs, Hangul syllables, general punctuation and emoji are
/// plain; combining marks, jamo and everything else are not.
package enum PlainScalar {
  /// Returns the number of bytes of the scalar at `offset` if it is plain, and otherwise 0.
  ///
  /// A scalar of valid UTF-8 must begin at `offset`.
  @inline(__always)
  package static func count(in text: RawSpan, at offset: Int) -> Int {
    let lead = text.byte(at: offset)
    return lead < 0x80 ? 1 : wideCount(in: text, at: offset, lead)
  }

  /// Whether `offset` is the end or begins a plain scalar, and so can't affect what precedes it.
  @inline(__always)
  static func isBoundary(in text: RawSpan, at offset: Int) -> Bool {
    offset == text.byteCount || count(in: text, at: offset) > 0
  }

  /// Plain ranges are never split: both ends of each are in the same case here.
  private static func wideCount(in text: RawSpan, at offset: Int, _ lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xCB, 0xD0...0xD1: return 2  // U+0080…02FF, U+0400…047F
    case 0xE4...0xE9, 0xEB...0xEC: return 3  // U+4000…9FFF, U+B000…CFFF
    case 0xE2, 0xE3, 0xEA, 0xED, 0xF0: break
    default: return 0
    }
    guard offset + 2 < text.byteCount else { return 0 }
    let second = text.byte(at: offset + 1)
    let third = text.byte(at: offset + 2)
    let isPlain =
      switch (lead, second) {
      case (0xE2, 0x80): third > 0x81  // U+2002…203F
      case (0xE3, 0x80): third < 0xAA  // U+3000…3029
      case (0xE3, 0x82): third < 0x99 || third > 0x9A  // U+3080…30BF but the voicing marks
      case (0xE3, 0x81), (0xE3, 0x83): true  // U+3040…307F, U+30C0…30FF
      case (0xEA, 0xB0...0xBF), (0xED, 0x80...0x9D): true  // U+AC00…AFFF, U+D000…D77F
      case (0xF0, 0x9F): true  // U+1F000…1FFFF
      default: false
      }
    return isPlain ? (lead == 0xF0 ? 4 : 3) : 0
  }
}
