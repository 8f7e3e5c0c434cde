/// A set of rows of one collection, with one bit per number; for very large sets.
///
/// - Complexity: O(1) each; the memory is an eighth of a byte per number up to the greatest.
package struct RowSet: Sendable {
  private var words: [UInt64] = []
  /// The number of rows in the set.
  package private(set) var count = 0

  /// Creates an empty set.
  package init() {}

  /// Whether the set is empty.
  package var isEmpty: Bool { count == 0 }

  /// Returns whether the set has a row.
  @inline(__always)
  package func contains(_ id: UInt32) -> Bool {
    let index = Int(id >> 6)
    return index < words.count && words[index] >> UInt64(id & 63) & 1 == 1
  }

  /// Inserts a row; returns whether it was absent.
  @inline(__always)
  @discardableResult
  package mutating func insert(_ id: UInt32) -> Bool {
    let (index, bit) = (Int(id >> 6), 1 << UInt64(id & 63) as UInt64)
    if index >= words.count { reach(index) }
    guard words[index] & bit == 0 else { return false }
    words[index] |= bit
    count += 1
    return true
  }

  /// Removes all rows and frees the memory.
  package mutating func removeAll() { self = RowSet() }

  /// Returns the lowest row number at or above a number, or `nil` if there is none.
  ///
  /// - Complexity: O(1), amortized, when iterating over all.
  @inline(__always)
  package func first(from id: UInt32) -> UInt32? {
    var index = Int(id >> 6)
    guard index < words.count else { return nil }
    var word = words[index] & (UInt64.max << UInt64(id & 63))
    while word == 0 {
      index += 1
      guard index < words.count else { return nil }
      word = words[index]
    }
    return UInt32(index << 6 | word.trailingZeroBitCount)
  }

  /// Calls `body` with each row's number, in ascending order.
  ///
  /// - Complexity: O(greatest number)
  package func forEach(_ body: (UInt32) -> Void) {
    var next: UInt32 = 0
    while let id = first(from: next) {
      body(id)
      next = id + 1
    }
  }

  /// Calls `body` with each row's number, in descending order.
  ///
  /// - Complexity: O(greatest number)
  package func forEachReversed(_ body: (UInt32) -> Void) {
    for index in words.indices.reversed() {
      var rest = words[index]
      while rest != 0 {
        let bit = 63 - rest.leadingZeroBitCount
        body(UInt32(index << 6 | bit))
        rest &= ~(1 << UInt64(bit))
      }
    }
  }

  @inline(never)
  private mutating func reach(_ index: Int) {
    let missing = index + 1 - words.count
    words.append(contentsOf: repeatElement(0, count: max(missing, words.count)))
  }
}
