import LMDB

extension RankedIndex {
  /// Returns the number of entries before a key.
  ///
  /// O(log n).
  ///
  /// - Throws: ``IndexError`` if a node is damaged, and any error of the base's reader or of
  ///   `ties`.
  package mutating func rank<Ties: TieBreaker & ~Copyable & ~Escapable>(
    of key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> Int {
    try place(of: key, &ties).rank
  }

  /// Returns whether the entry of the key's row is at the key.
  ///
  /// O(log n).
  package mutating func contains<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> Bool {
    try place(of: key, &ties).isFound
  }

  private mutating func place<Ties: TieBreaker & ~Copyable & ~Escapable>(
    of key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> (rank: Int, isFound: Bool) {
    guard root != 0 else { return (0, false) }
    let place = try fingered(key.words) ?? leaf(for: key, &ties)
    let (index, isFound) = try nodeView(place.leaf, 0).position(of: key, from: 0, &ties)
    return (place.rank + index, isFound)
  }

  /// Returns the leaf to which a key belongs.
  private mutating func leaf<Ties: TieBreaker & ~Copyable & ~Escapable>(
    for key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> Finger {
    trim()
    var (node, rank) = (root, 0)
    for level in stride(from: height, to: 0, by: -1) {
      try require(node, level)
      let step = try step(from: node, level, to: key, &ties)
      rank += step.rank
      node = step.below
    }
    try require(node, 0)
    let place = Finger(leaf: node, rank: rank)
    finger = place
    return place
  }

  /// Returns the leaf of the last key, if the words belong between its entries: after a change, the
  /// changed entry and its group, which is usually near, are looked up.
  @inline(__always)
  private func fingered(_ words: SortWords) -> Finger? {
    guard let finger, slots[Int(finger.leaf)].level == 0 else { return nil }
    let leaf = nodeView(finger.leaf, 0)
    return leaf.words(0) < words && words < leaf.words(leaf.count - 1) ? finger : nil
  }

  /// Returns the child on the path to a key, its node, and the number of entries below the node
  /// that come before that child.
  @inline(__always)
  func step<Ties: TieBreaker & ~Copyable & ~Escapable>(
    from node: UInt32, _ level: Int, to key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> (child: Int, below: UInt32, rank: Int) {
    let view = nodeView(node, level)
    let child = try view.child(for: key, from: 0, &ties)
    return (child, view.child(child), view.below(before: child))
  }

  /// Returns the number of entries with words below the given ones.
  ///
  /// O(log n).
  package mutating func rank(ofWordsAtLeast words: SortWords) throws -> Int {
    guard root != 0 else { return 0 }
    let place = try leaf(before: words)
    return place.rank + nodeView(place.leaf, 0).lowerBound(of: words)
  }

  /// Returns the leaf in which the entries with words not below the given ones begin, or which ends
  /// before them, and the number of entries before the leaf.
  private mutating func leaf(before words: SortWords) throws -> Finger {
    if let finger = fingered(words) { return finger }
    trim()
    var (node, rank) = (root, 0)
    for level in stride(from: height, to: 0, by: -1) {
      try require(node, level)
      let view = nodeView(node, level)
      let child = view.child(before: words)
      rank += view.below(before: child)
      node = view.child(child)
    }
    try require(node, 0)
    return Finger(leaf: node, rank: rank)
  }

  /// Prefetches the leaf to which words belong, as far as it can be found without reading from the
  /// base.
  func prefetch(_ words: SortWords) {
    guard root != 0 else { return }
    var node = root
    for level in stride(from: height, to: 0, by: -1) {
      guard isResident(node, level) else { return }
      let view = nodeView(node, level)
      node = view.child(view.child(before: words))
    }
    prefetch(leaf: node)
  }

  /// Prefetches the parts of a leaf that a search reads, so that the search waits once instead of
  /// for each cache line.
  @inline(__always)
  func prefetch(leaf: UInt32) {
    arrays.prefetch(Int(leaf), layout.rows(layout.leafCapacity), stride: 64)
  }

  /// Returns the ranks of the entries of a group, which is their first word.
  ///
  /// O(log n); for a large group that was requested recently, no node is read.
  package mutating func ranks(ofGroup group: UInt64) throws -> Range<Int> {
    if let ranks = bigGroups.ranks(of: group) { return ranks }
    let (ranks, isBig) = try findRanks(ofGroup: group)
    if isBig { bigGroups.keep(group, at: ranks) }
    return ranks
  }

  /// Finds the ranks by descending the tree, and whether they extend beyond their first leaf.
  mutating func findRanks(
    ofGroup group: UInt64
  ) throws -> (ranks: Range<Int>, isBig: Bool) {
    guard root != 0 else { return (0..<0, false) }
    let place = try leaf(before: SortWords(group))
    let start = place.rank + nodeView(place.leaf, 0).lowerBound(of: SortWords(group))
    guard group < .max else { return (start..<count, false) }
    // Most groups are small, and end in the leaf in which they begin.
    let end = nodeView(place.leaf, 0).lowerBound(of: SortWords(group + 1))
    if end < nodeView(place.leaf, 0).count { return (start..<(place.rank + end), false) }
    return (start..<(try rank(ofWordsAtLeast: SortWords(group + 1))), true)
  }

  /// Returns the entry at a rank.
  ///
  /// O(log n). Traps if the rank does not exist.
  package mutating func entry(at rank: Int) throws -> IndexEntry {
    precondition(rank >= 0 && rank < count, "there is no entry \(rank) of \(count)")
    trim()
    let (leaf, index) = try leaf(withRank: rank)
    return nodeView(leaf, 0).entry(index)
  }

  /// Loads the leaf that contains the entry at a rank; returns it with the entry's index.
  mutating func leaf(withRank rank: Int) throws -> (node: UInt32, index: Int) {
    var (node, rest) = (root, rank)
    for level in stride(from: height, to: 0, by: -1) {
      try require(node, level)
      let view = nodeView(node, level)
      let place = view.child(withRank: rest)
      (node, rest) = (view.child(place.index), place.rank)
    }
    try require(node, 0)
    guard rest < nodeView(node, 0).count else { throw damaged(node, .link) }
    return (node, rest)
  }
}
