import LMDB

/// The order of texts by their bytes in UTF-8: that of Swift's `String`.
///
/// Texts that are canonically equivalent are the same, however they are spelled.
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

  /// Whether both are the same text.
  @inline(__always)
  package static func areSame(_ left: RawSpan, _ right: RawSpan) -> Bool {
    left.equals(right) || compare(left, right) == 0
  }

  /// Whether the scalar at `offset` is as its bytes say, and nothing before it is changed by it.
  @inline(__always)
  private static func isCertain(in text: RawSpan, at offset: Int) -> Bool {
    guard offset < text.byteCount else { return true }
    let count = PlainText.count(in: text, at: offset)
    return count > 0 && PlainText.isBoundary(in: text, at: offset + count)
  }

  /// How many bytes both begin with.
  package static func sharedCount(_ left: RawSpan, _ right: RawSpan) -> Int {
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
    let (left, right) = (left.text ?? "", right.text ?? "")
    return left < right ? -1 : left == right ? 0 : 1
  }
}
