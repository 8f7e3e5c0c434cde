import LMDB

extension RankedIndex {
  /// Inserts one entry; returns its rank.
  ///
  /// O(log n); allocates nothing unless a leaf was full.
  ///
  /// - Throws: ``IndexError``, and any error of the base's reader or of `ties`.
  @discardableResult
  package mutating func insert<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ words: SortWords, _ row: RowID, token: Ties.Token, _ ties: inout Ties
  ) throws -> Int {
    let operation = IndexOperation.insert(words, row, token: token)
    guard root != 0 else {
      try apply(operation, &ties)
      return 0
    }
    let place = try descend(to: operation.key, &ties)
    guard !isEntry(operation.entry, at: place) else {
      throw IndexError.present(view: view, row)
    }
    guard place.size < layout.leafCapacity else {
      try apply(operation, &ties)
      return place.rank
    }
    let layout = layout
    var bytes = edit(place.leaf)
    layout.insert(operation.entry, at: place.index, of: place.size, &bytes)
    bigGroups.entryChanged(in: words.first, by: 1)
    climb(from: place, by: 1, first: place.index == 0 ? operation.entry : nil)
    return place.rank
  }

  /// Removes one entry; returns its former rank.
  ///
  /// O(log n); allocates nothing unless a leaf has too few entries left.
  ///
  /// - Throws: ``IndexError``, and any error of the base's reader or of `ties`.
  @discardableResult
  package mutating func remove<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ words: SortWords, _ row: RowID, token: Ties.Token, _ ties: inout Ties
  ) throws -> Int {
    let operation = IndexOperation.remove(words, row, token: token)
    guard root != 0 else { throw absent(row) }
    let place = try descend(to: operation.key, &ties)
    guard place.isFound else { throw absent(row) }
    guard place.size > layout.minimum(0) else {
      try apply(operation, &ties)
      return place.rank
    }
    let layout = layout
    var bytes = edit(place.leaf)
    layout.remove(at: place.index, of: place.size, &bytes)
    let first = place.index == 0 ? nodeView(place.leaf, 0).entry(0) : nil
    bigGroups.entryChanged(in: words.first, by: -1)
    climb(from: place, by: -1, first: first)
    return place.rank
  }

  private mutating func apply<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ operation: IndexOperation<Ties.Token>, _ ties: inout Ties
  ) throws {
    try apply([operation].span, &ties)
  }

  /// The end of a descent.
  private struct Place {
    var leaf: UInt32
    var index: Int
    var isFound: Bool
    /// The number of entries in the leaf.
    var size: Int
    var rank: Int
  }

  /// Returns whether an entry is the one at the end of a descent.
  @inline(__always)
  private func isEntry(_ entry: IndexEntry, at place: Place) -> Bool {
    guard place.index < place.size else { return false }
    let view = nodeView(place.leaf, 0)
    return view.row(place.index) == entry.row && view.words(place.index) == entry.words
  }

  /// Descends to a key and records the path.
  @inline(__always)
  private mutating func descend<Ties: TieBreaker & ~Copyable & ~Escapable>(
    to key: IndexKey<Ties.Token>, _ ties: inout Ties
  ) throws -> Place {
    trim()
    var (node, rank) = (root, 0)
    for level in stride(from: height, to: 0, by: -1) {
      try require(node, level)
      let step = try step(from: node, level, to: key, &ties)
      path[level] = PathStep(node: node, child: step.child)
      rank += step.rank
      node = step.below
    }
    prefetch(leaf: node)
    try require(node, 0)
    let view = nodeView(node, 0)
    let (index, isFound) = try view.position(of: key, from: 0, &ties)
    return Place(
      leaf: node, index: index, isFound: isFound, size: view.count, rank: rank + index)
  }

  /// Ascends the recorded path: adjusts the counts, and updates the first entry where it changed.
  private mutating func climb(from place: Place, by difference: Int, first: IndexEntry?) {
    let layout = layout
    var first = first
    for level in 0..<height {
      let step = path[level + 1]
      var bytes = edit(step.node)
      let offset = layout.below(step.child)
      let count = bytes.bytes.integer(UInt32.self, at: offset)
      bytes.store(integer: UInt32(Int(count) + difference), at: offset)
      if let first { layout.put(first, at: step.child, layout.branchCapacity, &bytes) }
      if step.child > 0 { first = nil }
    }
    header.count += difference
    finger = Finger(leaf: place.leaf, rank: place.rank - place.index)
  }
}
