import LMDB

extension RankedIndex {
  /// How many entries come before a key.
  ///
  /// O(log n).
  ///
  /// - Throws: ``IndexError`` where a node is damaged, what the base's reader throws, and what
  ///   `ties` does.
  package mutating func rank<Ties: TieBreaker & ~Copyable & ~Escapable>(
    of key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> Int {
    try place(of: key, &ties).rank
  }

  /// Whether the entry of the key's row stands at the key.
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

  /// The leaf that a key belongs in.
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

  /// The leaf of the last key, if such words belong between its entries: behind a change whoever
  /// tells of it looks for what was changed, and for its group, which most often is near.
  @inline(__always)
  private func fingered(_ words: SortWords) -> Finger? {
    guard let finger, slots[Int(finger.leaf)].level == 0 else { return nil }
    let leaf = nodeView(finger.leaf, 0)
    return leaf.words(0) < words && words < leaf.words(leaf.count - 1) ? finger : nil
  }

  /// The child on the way to a key, which node it is, and how many entries below the node come
  /// before it.
  @inline(__always)
  func step<Ties: TieBreaker & ~Copyable & ~Escapable>(
    from node: UInt32, _ level: Int, to key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> (child: Int, below: UInt32, rank: Int) {
    let view = nodeView(node, level)
    let child = try view.child(for: key, from: 0, &ties)
    return (child, view.child(child), view.below(before: child))
  }

  /// How many entries have words below the given ones.
  ///
  /// O(log n).
  package mutating func rank(ofWordsAtLeast words: SortWords) throws -> Int {
    guard root != 0 else { return 0 }
    let place = try leaf(before: words)
    return place.rank + nodeView(place.leaf, 0).lowerBound(of: words)
  }

  /// The leaf in which entries begin whose words are not below the given ones, or which ends before
  /// them; and how many entries come before its own.
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

  /// Has the processor fetch the leaf where such words belong, as far as it is known without
  /// reading anything from the base.
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

  /// Has the processor fetch what a leaf is searched by: then a search waits once, not for each
  /// line that it looks at.
  @inline(__always)
  func prefetch(leaf: UInt32) {
    arrays.prefetch(Int(leaf), layout.rows(layout.leafCapacity), stride: 64)
  }

  /// The ranks of the entries of a group, whose first word is the given one.
  ///
  /// O(log n); for a large group that was asked for lately without a look at a node.
  package mutating func ranks(ofGroup group: UInt64) throws -> Range<Int> {
    if let ranks = bigGroups.ranks(of: group) { return ranks }
    let (ranks, isBig) = try findRanks(ofGroup: group)
    if isBig { bigGroups.keep(group, at: ranks) }
    return ranks
  }

  /// Finds them by going down the tree, and whether they go on behind the leaf that they begin in.
  mutating func findRanks(
    ofGroup group: UInt64
  ) throws -> (ranks: Range<Int>, isBig: Bool) {
    guard root != 0 else { return (0..<0, false) }
    let place = try leaf(before: SortWords(group))
    let start = place.rank + nodeView(place.leaf, 0).lowerBound(of: SortWords(group))
    guard group < .max else { return (start..<count, false) }
    // Most groups are small, and end where they begin.
    let end = nodeView(place.leaf, 0).lowerBound(of: SortWords(group + 1))
    if end < nodeView(place.leaf, 0).count { return (start..<(place.rank + end), false) }
    return (start..<(try rank(ofWordsAtLeast: SortWords(group + 1))), true)
  }

  /// The entry that so many others come before.
  ///
  /// O(log n). Traps where there is none.
  package mutating func entry(at rank: Int) throws -> IndexEntry {
    precondition(rank >= 0 && rank < count, "there is no entry \(rank) of \(count)")
    trim()
    let (leaf, index) = try leaf(withRank: rank)
    return nodeView(leaf, 0).entry(index)
  }

  /// The leaf with the entry of a rank, in memory, and the entry's place there.
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
