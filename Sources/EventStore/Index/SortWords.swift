/// The first words of an entry's sort key, compared as unsigned integers, word by word.
///
/// A view uses a constant number of them, from 1 to 4; the others are zero. They ascend weakly with
/// the view's true order: if they differ, they decide; if they are equal, the whole keys decide. In
/// a grouped view, the first word is the group.
package struct SortWords: Hashable, Sendable {
  /// The maximum number of words that a view may use.
  package static let countMax = 4

  /// The word that decides first.
  package var first: UInt64
  /// The word that decides if the first words are equal.
  package var second: UInt64
  /// The word that decides if the first two words are equal.
  package var third: UInt64
  /// The word that decides last.
  var fourth: UInt64

  /// Creates up to four words; omitted ones are zero.
  @inline(__always)
  package init(
    _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0, _ fourth: UInt64 = 0
  ) {
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  /// The word at an index of 0 to 3.
  @inline(__always)
  package subscript(index: Int) -> UInt64 {
    get {
      switch index {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    set {
      switch index {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }
}

extension SortWords {
  /// Compares these words with others: negative if they are before them, 0 if equal, or positive if
  /// after.
  @inline(__always)
  package func compare(with other: SortWords) -> Int {
    if self == other { return 0 }
    return self < other ? -1 : 1
  }
}

extension SortWords: Comparable {
  /// Returns whether the first words that differ are less on the left.
  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    if left.third != right.third { return left.third < right.third }
    return left.fourth < right.fourth
  }
}
