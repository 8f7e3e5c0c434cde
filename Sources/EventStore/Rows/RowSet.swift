/// A set of rows of one collection, as a bit for each number: for very many of them.
///
/// - Complexity: O(1) each; its memory is an eighth of a byte for each number up to the greatest.
package struct RowSet: Sendable {
  private var words: [UInt64] = []
  /// How many rows are in it.
  package private(set) var count = 0

  /// The empty set.
  package init() {}

  /// Whether no row is in it.
  package var isEmpty: Bool { count == 0 }

  /// Whether a row is in it.
  @inline(__always)
  package func contains(_ id: UInt32) -> Bool {
    let index = Int(id >> 6)
    return index < words.count && words[index] >> UInt64(id & 63) & 1 == 1
  }

  /// Adds a row; says whether it was not in it.
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

  /// Removes all rows, and gives the memory back.
  package mutating func removeAll() { self = RowSet() }

  /// The least row that is not below a number, or `nil` where there is none.
  ///
  /// - Complexity: O(1), amortized, for who goes through all.
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
