/// A walk over an index's entries, in either direction.
///
/// It reads ahead a bounded number of entries, so it is good as long as the index is not changed.
package struct IndexCursor {
  /// How many entries it reads at a time.
  static let stretch = 64

  /// How many entries come before it.
  package private(set) var rank: Int
  private var entries: [IndexEntry] = []
  /// The rank of the first of the entries that were read.
  private var start = 0

  /// A cursor before the entry of a rank, or behind the last entry.
  package init(at rank: Int = 0) { self.rank = rank }

  /// The entry behind it, which it goes past; `nil` at the end.
  ///
  /// O(1) mostly, O(log n) at times.
  package mutating func next(in index: inout RankedIndex) throws -> IndexEntry? {
    guard rank < index.count else { return nil }
    if rank < start || rank >= start + entries.count {
      try read(rank..<min(rank + Self.stretch, index.count), in: &index)
    }
    defer { rank += 1 }
    return entries[rank - start]
  }

  /// The entry before it, which it goes back past; `nil` at the beginning.
  ///
  /// O(1) mostly, O(log n) at times.
  package mutating func previous(in index: inout RankedIndex) throws -> IndexEntry? {
    guard rank > 0 else { return nil }
    if rank <= start || rank > start + entries.count {
      try read(max(rank - Self.stretch, 0)..<rank, in: &index)
    }
    rank -= 1
    return entries[rank - start]
  }

  private mutating func read(_ ranks: Range<Int>, in index: inout RankedIndex) throws {
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(in: ranks, to: &entries)
    start = ranks.lowerBound
  }
}
