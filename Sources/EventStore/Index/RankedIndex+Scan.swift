import LMDB

extension RankedIndex {
  /// Returns the rows in a range of ranks.
  ///
  /// O(log n + rows). Traps if the range exceeds the entries.
  package mutating func rows(in ranks: Range<Int>) throws -> [RowID] {
    var rows: [RowID] = []
    rows.reserveCapacity(ranks.count)
    try scan(ranks) { leaf, range in
      for index in range { rows.append(leaf.row(index)) }
    }
    return rows
  }

  /// Appends the entries in a range of ranks to an array.
  ///
  /// O(log n + entries). Traps if the range exceeds the entries.
  package mutating func appendEntries(in ranks: Range<Int>, to entries: inout [IndexEntry]) throws {
    try scan(ranks) { leaf, range in
      for index in range { entries.append(leaf.entry(index)) }
    }
  }

  /// Calls `body` with each leaf in a range of ranks, and the leaf's indices that are in the range.
  @inline(__always)
  private mutating func scan(
    _ ranks: Range<Int>, _ body: (borrowing NodeView, Range<Int>) -> Void
  ) throws {
    precondition(ranks.lowerBound >= 0 && ranks.upperBound <= count, "no such ranks: \(ranks)")
    var next = ranks.lowerBound
    while next < ranks.upperBound {
      trim()
      let (leaf, index) = try leaf(withRank: next)
      let view = nodeView(leaf, 0)
      let end = min(view.count, index + ranks.upperBound - next)
      body(view, index..<end)
      next += end - index
    }
  }
}
