/// A set of page numbers below a limit, one bit each.
struct PageSet {
  let limit: UInt64
  private var words: [UInt64]

  init(limit: UInt64) {
    self.limit = limit
    words = Array(repeating: 0, count: Int((limit + 63) / 64))
  }

  /// Adds a page below the limit; `false` where it is in the set already.
  mutating func insert(_ page: UInt64) -> Bool {
    guard !contains(page) else { return false }
    words[Int(page / 64)] |= 1 << (page % 64)
    return true
  }

  /// Whether the page is in the set, which none at or above the limit is.
  func contains(_ page: UInt64) -> Bool {
    page < limit && words[Int(page / 64)] & (1 << (page % 64)) != 0
  }

  /// The pages that are in both, in ascending order.
  ///
  /// O(limit / 64 + result).
  func intersection(_ other: PageSet) -> [UInt64] {
    var pages: [UInt64] = []
    for (index, (mine, theirs)) in zip(words, other.words).enumerated() {
      var bits = mine & theirs
      while bits != 0 {
        pages.append(UInt64(index * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    return pages
  }

  /// How many pages are in this set, in the other one of the same limit, or in both.
  func count(with other: PageSet) -> UInt64 {
    zip(words, other.words).reduce(0) { $0 + UInt64(($1.0 | $1.1).nonzeroBitCount) }
  }
}
