import LMDB

/// Texts that rows are compared with: bytes one behind another, and the same as strings.
package struct TextConstants: Sendable {
  /// Where a text's bytes are.
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

  /// Adds texts, which are such as `FieldTest.canonical` makes them, and returns their
  /// places.
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

  /// The text at a place.
  package func string(at place: Int) -> String { strings[place] }

  /// The bytes of the text at a place.
  @_lifetime(borrow self)
  package func bytes(at place: Int) -> RawSpan { arena.raw.extracting(places[place].range) }

  /// Whether a text is one of those at these places.
  ///
  /// - Complexity: O(places), without allocation for texts that are plain.
  func contain(_ text: RawSpan, among range: Range<Int>) -> Bool {
    for index in range where bytes(at: index).equals(text) { return true }
    // A text of ASCII equals no other spelling, for none of the constants has one.
    guard !text.isASCII else { return false }
    for index in range where TextOrder.compare(bytes(at: index), text) == 0 { return true }
    return false
  }

  /// Whether one of several texts, laid out as a row has them, is one of those at these places.
  ///
  /// - Complexity: O(texts · places)
  func contain(anyOf texts: RawSpan, among range: Range<Int>) -> Bool {
    var list = TextList(texts)
    while let text = list.next() {
      if contain(text, among: range) { return true }
    }
    return false
  }

  /// Whether a text begins with that at a place, by `String.hasPrefix(_:)`.
  ///
  /// - Complexity: O(n), without allocation where ASCII decides.
  func isPrefix(at place: Int, of text: RawSpan) -> Bool {
    let prefix = bytes(at: place)
    guard places[place].isASCII else { return isSlowPrefix(at: place, of: text) }
    if text.isASCII {
      let count = prefix.byteCount
      return text.byteCount >= count && text.extracting(first: count).equals(prefix)
    }
    return isSlowPrefix(at: place, of: text)
  }

  private func isSlowPrefix(at place: Int, of text: RawSpan) -> Bool {
    (text.text ?? "").hasPrefix(strings[place])
  }
}

extension RawSpan {
  /// Whether all bytes are below 0x80.
  package var isASCII: Bool {
    var all: UInt64 = 0
    var offset = 0
    while offset + 8 <= byteCount {
      all |= integer(UInt64.self, at: offset)
      offset += 8
    }
    while offset < byteCount {
      all |= UInt64(byte(at: offset))
      offset += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
