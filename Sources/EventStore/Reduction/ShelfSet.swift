/// A set of collections, by their places among the reducer's.
struct ShelfSet {
  // A place is a byte, so four words suffice.
  private var words = SIMD4<UInt64>()

  /// Returns whether a collection is in it.
  @inline(__always)
  func contains(_ place: UInt8) -> Bool { words[Int(place >> 6)] >> UInt64(place & 63) & 1 == 1 }

  /// Inserts a collection; returns whether it was absent.
  @inline(__always)
  mutating func insert(_ place: UInt8) -> Bool {
    guard !contains(place) else { return false }
    words[Int(place >> 6)] |= 1 << UInt64(place & 63)
    return true
  }

  /// Empties the set.
  mutating func removeAll() { words = SIMD4() }

  /// Calls `body` with each collection in the order of their places.
  @inline(__always)
  func forEach<E: Error>(_ body: (UInt8) throws(E) -> Void) throws(E) {
    for index in 0..<words.scalarCount {
      var rest = words[index]
      while rest != 0 {
        try body(UInt8(index << 6 | rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }
}
