/// The id of an item or a group: 20 characters in no particular order, as servers assign them.
///
/// Each character holds five bits, and characters ascend with their bits, so ids compare like their
/// texts.
package struct MailID: Hashable, Comparable, Sendable {
  /// The first 12 characters, which distinguish ids; the others follow from them.
  package let head: UInt64

  /// The number of characters, one byte each.
  package static let length = 20
  private static let headPlaces = 0..<12

  /// Creates the id of an item.
  package init(item number: Int) { head = mixed(UInt64(number) * 2 + 1) >> 4 }

  /// Creates the id of a group.
  package init(group number: Int) { head = mixed(UInt64(number) * 2) >> 4 }

  /// Reads the text that `write` wrote.
  @unsafe package init(text: UnsafeRawBufferPointer) {
    precondition(text.count == Self.length, "an id has 20 characters")
    head = Self.headPlaces.reduce(0) { bits, place in
      let character = unsafe text[place]
      return bits << 5 | UInt64(character &- (character < 58 ? 48 : 87))
    }
  }

  /// Writes the 20 bytes of the text.
  @unsafe package func write(to text: UnsafeMutableRawBufferPointer) {
    unsafe Self.write(head, to: text, Self.headPlaces)
    unsafe Self.write(mixed(head) >> 24, to: text, Self.headPlaces.upperBound..<Self.length)
  }

  package static func < (left: MailID, right: MailID) -> Bool { left.head < right.head }

  private static func write(
    _ bits: UInt64, to text: UnsafeMutableRawBufferPointer, _ places: Range<Int>
  ) {
    var bits = bits
    for place in places.reversed() {
      let digit = UInt8(truncatingIfNeeded: bits & 31)
      unsafe text[place] = digit + (digit < 10 ? 48 : 87)  // 0…9, a…v
      bits >>= 5
    }
  }
}

/// Returns a number that looks unrelated to `seed` and is unique to it (SplitMix64).
func mixed(_ seed: UInt64) -> UInt64 {
  var mixed = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
  mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
  return mixed ^ (mixed >> 31)
}
