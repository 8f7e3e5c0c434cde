/// The words that a row's sort key begins with: what an index compares first.
///
/// Those that a view doesn't use are 0.
package struct KeyWords: Hashable, Sendable, BitwiseCopyable {
  /// The words that a key may have.
  package static let countMax = 4

  /// The most significant.
  package var first: UInt64 = 0
  /// The next.
  package var second: UInt64 = 0
  /// The next but one.
  package var third: UInt64 = 0
  /// The least significant.
  package var fourth: UInt64 = 0

  /// Words that are all 0.
  package init() {}

  /// The word at a place from 0 to 3.
  package subscript(index: Int) -> UInt64 {
    @inline(__always) get {
      switch index {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    @inline(__always) set {
      switch index {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }

  /// Where these stand, seen from others: before them (negative), with them (0) or after them.
  @inline(__always)
  package func compare(with other: KeyWords) -> Int {
    if first != other.first { return first < other.first ? -1 : 1 }
    if second != other.second { return second < other.second ? -1 : 1 }
    if third != other.third { return third < other.third ? -1 : 1 }
    if fourth != other.fourth { return fourth < other.fourth ? -1 : 1 }
    return 0
  }
}
