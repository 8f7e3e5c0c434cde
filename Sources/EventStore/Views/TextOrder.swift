import LMDB

/// The order that Swift's `String` documents: by the scalars of the texts' NFC forms.
///
/// Canonically equivalent texts are equal, however they are spelled. If one NFC form is a prefix of
/// the other, the shorter comes first. Swift's own `<` may then compare the byte counts of the
/// spellings instead: neither of "e\u{301}" and "\u{E9}a" is less than the other, and "\u{212A}" is
/// greater than "Ka". No sorted structure can rely on such an order.
package enum TextOrder {
  /// Compares two texts: negative if `left` comes before `right`, 0 if they are equal, otherwise
  /// positive.
  ///
  /// - Complexity: O(n), without allocation if the first scalars that differ, and those after them,
  ///   are plain; otherwise both texts are converted to strings.
  package static func compare(_ left: RawSpan, _ right: RawSpan) -> Int {
    let shared = sharedCount(left, right)
    if shared == left.byteCount && shared == right.byteCount { return 0 }
    let start = scalarStart(in: left, right, at: shared)
    let isCertain = isCertain(in: left, at: start) && isCertain(in: right, at: start)
    guard isCertain else { return compareStrings(left, right) }
    if shared == left.byteCount { return -1 }
    if shared == right.byteCount { return 1 }
    return left.byte(at: shared) < right.byte(at: shared) ? -1 : 1
  }

  /// Whether the scalar at `offset` is what its bytes say, and doesn't affect what precedes it.
  @inline(__always)
  private static func isCertain(in text: RawSpan, at offset: Int) -> Bool {
    guard offset < text.byteCount else { return true }
    let count = PlainScalar.count(in: text, at: offset)
    return count > 0 && PlainScalar.isBoundary(in: text, at: offset + count)
  }

  /// Returns the length of the common prefix, in bytes.
  static func sharedCount(_ left: RawSpan, _ right: RawSpan) -> Int {
    let limit = min(left.byteCount, right.byteCount)
    var offset = 0
    while offset + 8 <= limit {
      let difference =
        left.integer(UInt64.self, at: offset) ^ right.integer(UInt64.self, at: offset)
      guard difference == 0 else { return offset + difference.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < limit, left.byte(at: offset) == right.byte(at: offset) { offset += 1 }
    return offset
  }

  /// Returns the start of the scalar that contains `offset`, the first differing byte.
  private static func scalarStart(in left: RawSpan, _ right: RawSpan, at offset: Int) -> Int {
    let longer = offset < left.byteCount ? left : right
    var start = offset
    while start > 0, longer.byte(at: start) & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  private static func compareStrings(_ left: RawSpan, _ right: RawSpan) -> Int {
    let (left, right) = (ended(left), ended(right))
    return left < right ? -1 : left == right ? 0 : 1
  }

  /// Appends a terminator that is less than anything that could follow.
  ///
  /// Then no text is a prefix of another. U+0000 can serve as the terminator once it and U+0001 are
  /// each written as two characters, in their original order.
  private static func ended(_ text: RawSpan) -> String {
    let string = text.text ?? ""
    guard string.utf8.contains(where: { $0 < 2 }) else { return string + "\0" }
    var scalars = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      scalars.append(scalar.value < 2 ? "\u{1}" : scalar)
      if scalar.value < 2 { scalars.append(scalar.value == 0 ? "\u{1}" : "\u{2}") }
    }
    return String(scalars) + "\0"
  }
}
