/// A set of page numbers below a limit, one bit each.
struct PageSet {
  let limit: UInt64
  private var words: [UInt64]

  init(limit: UInt64) {
    self.limit = limit
    words = Array(repeating: 0, count: Int((limit + 63) / 64))
  }

  /// Adds a page below the limit; returns `false` if the set already contains it.
  mutating func insert(_ page: UInt64) -> Bool {
    guard !contains(page) else { return false }
    words[Int(page / 64)] |= 1 << (page % 64)
    return true
  }

  /// Whether the set contains a page; always `false` at or above the limit.
  func contains(_ page: UInt64) -> Bool {
    page < limit && words[Int(page / 64)] & (1 << (page % 64)) != 0
  }
}
