import LMDB

/// The order that Swift's `String` documents: by the scalars of the texts' NFC forms.
///
/// Texts that are canonically equivalent are the same, however they are spelled. Where one NFC form
/// begins with the whole other, this puts the shorter first. There Swift's own `<` may go by the
/// number of bytes in each spelling instead: by it neither of "e\u{301}" and "\u{E9}a" is less, and
/// "\u{212A}" is greater than "Ka". That is no order that a sorted structure could rest on.
package enum TextOrder {
  /// Where `left` stands, seen from `right`: before it (negative), with it (0) or after it.
  ///
  /// - Complexity: O(n), without allocation where the scalars that differ, and those after them,
  ///   are plain; otherwise both become strings.
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

  /// Whether the scalar at `offset` is as its bytes say, and nothing before it is changed by it.
  @inline(__always)
  private static func isCertain(in text: RawSpan, at offset: Int) -> Bool {
    guard offset < text.byteCount else { return true }
    let count = PlainScalar.count(in: text, at: offset)
    return count > 0 && PlainScalar.isBoundary(in: text, at: offset + count)
  }

  /// How many bytes both begin with.
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

  /// Where the scalar begins that the byte at `offset`, the first to differ, belongs to.
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

  /// The text with an end that is less than all that could follow.
  ///
  /// So no text begins with the whole of another. U+0000 is free to be the end once it and U+0001
  /// are each written as two characters, in the same order as before.
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
