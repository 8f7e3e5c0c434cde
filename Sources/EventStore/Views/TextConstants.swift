import LMDB

/// The texts that rows are compared with: as contiguous bytes, and as strings.
package struct TextConstants: Sendable {
  /// The range of a text's bytes.
  private struct Place: BitwiseCopyable {
    let start: UInt32
    let count: UInt32
    let isASCII: Bool

    @inline(__always)
    var range: Range<Int> { Int(start)..<Int(start + count) }
  }

  private var places: [Place] = []
  private var arena: [UInt8] = []
  private var strings: [String] = []

  /// No texts.
  package init() {}

  /// Adds texts in the form that `FieldTest.canonical` returns, and returns their places.
  mutating func add(_ texts: [String]) -> Range<Int> {
    let first = places.count
    for text in texts {
      let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
      places.append(
        Place(start: UInt32(arena.count), count: UInt32(text.utf8.count), isASCII: isASCII))
      arena.append(contentsOf: text.utf8)
      strings.append(text)
    }
    return first..<places.count
  }

  /// Returns the text at a place.
  package func string(at place: Int) -> String { strings[place] }

  /// Returns the bytes of the text at a place.
  @_lifetime(borrow self)
  package func bytes(at place: Int) -> RawSpan { arena.raw.extracting(places[place].range) }

  /// Whether a text equals one of those at these places, which ascend by their bytes.
  ///
  /// - Complexity: O(log places) for ASCII texts, otherwise O(places); no allocation for plain
  ///   texts.
  func contain(_ text: RawSpan, among range: Range<Int>) -> Bool {
    if containSpelling(text, among: range) { return true }
    // An ASCII text equals no other spelling, as canonical constants have none.
    guard !text.isASCII else { return false }
    for index in range where TextOrder.compare(bytes(at: index), text) == 0 { return true }
    return false
  }

  private func containSpelling(_ text: RawSpan, among range: Range<Int>) -> Bool {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end {
      let middle = (start + end) / 2
      let order = text.compareBytes(with: bytes(at: middle))
      if order == 0 { return true }
      if order < 0 { end = middle } else { start = middle + 1 }
    }
    return false
  }

  /// Whether one of several texts, in a row's layout, equals one of those at these places.
  ///
  /// - Complexity: O(texts · places)
  func contain(anyOf texts: RawSpan, among range: Range<Int>) -> Bool {
    var list = TextList(texts)
    while let text = list.next() {
      if contain(text, among: range) { return true }
    }
    return false
  }

  /// Whether a text begins with the one at a place, by `String.hasPrefix(_:)`.
  ///
  /// - Complexity: O(n), without allocation if ASCII decides.
  func isPrefix(at place: Int, of text: RawSpan) -> Bool {
    let isCertain = places[place].isASCII ? Self.isPrefix(bytes(at: place), of: text) : nil
    return isCertain ?? (text.text ?? "").hasPrefix(strings[place])
  }

  /// Whether a text begins with an ASCII prefix; `nil` if bytes alone can't tell.
  ///
  /// Swift compares two ASCII texts by their bytes, and others by characters. An ASCII character
  /// followed by ASCII is a character of its own, unless the two are a line ending.
  private static func isPrefix(_ prefix: RawSpan, of text: RawSpan) -> Bool? {
    let shared = TextOrder.sharedCount(prefix, text)
    let isWhole = shared == prefix.byteCount
    guard shared < text.byteCount else { return isWhole || text.isASCII ? isWhole : nil }
    let next = text.byte(at: shared)
    if next < 0x80 && (!isWhole || next != 0x0A) { return isWhole }
    return text.isASCII ? isWhole : nil
  }
}

extension RawSpan {
  /// Whether all bytes are below 0x80.
  package var isASCII: Bool {
    var all: UInt64 = 0
    guard byteCount >= 8 else {
      for offset in 0..<byteCount { all |= UInt64(byte(at: offset)) }
      return all & 0x80 == 0
    }
    for offset in stride(from: 0, to: byteCount - 8, by: 8) {
      all |= integer(UInt64.self, at: offset)
    }
    // The last bytes, some of them again.
    all |= integer(UInt64.self, at: byteCount - 8)
    return all & 0x8080_8080_8080_8080 == 0
  }
}
