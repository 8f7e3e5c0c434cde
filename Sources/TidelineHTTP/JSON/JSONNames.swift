import LMDB

/// Member names, found by their length and bytes.
///
/// - Complexity: O(1) to find a name, without creating a text; few names share a place.
package final class JSONNames: Sendable {
  private struct Name: Sendable {
    let length: Int
    /// The first eight bytes, or all of a shorter name.
    let first: UInt64
    /// The last eight bytes, or all of a shorter name.
    let last: UInt64
    /// The start of the name in the letters.
    let start: Int
  }

  /// All names, concatenated.
  private let letters: [UInt8]

  private let names: [Name]
  /// For each hash the number of a name, from 1, or 0; collisions take the next free places.
  private let places: [UInt8]

  /// Creates a list of names, each with its index; at most 100, all different.
  package init(_ names: [String]) {
    precondition(names.count <= 100, "too many names")
    let letters = names.flatMap { Array($0.utf8) }
    var places = [UInt8](repeating: 0, count: 256)
    var kept: [Name] = []
    var start = 0
    for text in names {
      let range = start..<(start + text.utf8.count)
      let (first, last) = Self.ends(of: letters.raw, range)
      kept.append(Name(length: range.count, first: first, last: last, start: start))
      var place = Self.hash(first, last, range.count)
      while places[place] != 0 { place = (place + 1) & 0xFF }
      places[place] = UInt8(kept.count)
      start = range.upperBound
    }
    (self.letters, self.names, self.places) = (letters, kept, places)
  }

  /// Returns the index of the name in a range, or `nil` if it is none of these.
  package func index(of range: Range<Int>, in bytes: RawSpan) -> Int? {
    let (first, last) = Self.ends(of: bytes, range)
    var place = Self.hash(first, last, range.count)
    while places[place] != 0 {
      let name = names[Int(places[place]) - 1]
      if name.first == first, name.last == last, name.length == range.count,
        range.count <= 16 || isName(from: name.start, bytes.extracting(range))
      {
        return Int(places[place]) - 1
      }
      place = (place + 1) & 0xFF
    }
    return nil
  }

  /// Returns the index of the name that a string spells, with its escapes resolved.
  package func index(of string: JSONToken, in bytes: RawSpan) -> Int? {
    guard string.isEscaped else { return index(of: string.content, in: bytes) }
    var text: [UInt8] = []
    bytes.appendText(of: string, to: &text)
    return index(of: 0..<text.count, in: text.raw)
  }

  /// Returns the end of the indexed name, quotes included, if it stands at a place without escapes.
  @inline(__always)
  func end(of index: Int, at place: Int, in bytes: RawSpan) -> Int? {
    guard index < names.count else { return nil }
    let length = names[index].length
    let range = (place + 1)..<(place + 1 + length)
    guard range.upperBound < bytes.byteCount, bytes.byte(at: place) == JSONByte.quote,
      bytes.byte(at: range.upperBound) == JSONByte.quote
    else { return nil }
    let (first, last) = Self.ends(of: bytes, range)
    guard first == names[index].first, last == names[index].last,
      length <= 16 || isName(from: names[index].start, bytes.extracting(range))
    else { return nil }
    return range.upperBound + 1
  }

  private func isName(from start: Int, _ bytes: RawSpan) -> Bool {
    let letters = letters
    return letters.raw.extracting(start..<(start + bytes.byteCount)).equals(bytes)
  }

  @inline(__always)
  private static func hash(_ first: UInt64, _ last: UInt64, _ length: Int) -> Int {
    let mixed = (first ^ last &* 31 ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 56)
  }

  /// Returns the first and the last eight bytes, which overlap if there are fewer than 16.
  @inline(__always)
  private static func ends(of bytes: RawSpan, _ range: Range<Int>) -> (UInt64, UInt64) {
    if range.count >= 8 {
      return (
        bytes.integer(UInt64.self, at: range.lowerBound),
        bytes.integer(UInt64.self, at: range.upperBound - 8)
      )
    }
    if range.lowerBound + 8 <= bytes.byteCount {
      let word = bytes.integer(UInt64.self, at: range.lowerBound) & (1 << (8 * range.count) - 1)
      return (word, word)
    }
    let word = range.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes.byte(at: $1)) }
    return (word, word)
  }
}
