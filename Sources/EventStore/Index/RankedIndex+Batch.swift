import LMDB

extension RankedIndex {
  /// Applies removals and insertions; `operations` are sorted by sort key.
  ///
  /// The caller guarantees that no inserted entry is already in the index.
  ///
  /// Each touched node is visited once, however many operations it has. The cost is O(log n) for
  /// each operation, and less the closer together they are.
  ///
  /// - Throws: ``IndexError``, and any error of the base's reader or of `ties`.
  package mutating func apply<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ operations: Span<IndexOperation<Ties.Token>>, _ ties: inout Ties
  ) throws {
    guard !operations.isEmpty else { return }
    trim()
    if root == 0 { setRoot(try makeNode(level: 0), height: 0) }
    let outcome = try update(
      root, height, operations, 0..<operations.count, [.left, .right], &ties)
    try takeRoot(outcome)
    bigGroups.entriesChanged(by: operations)
  }

  /// Inserts ascending entries of rows that have no entry yet.
  ///
  /// Entries are applied in groups small enough to stay in the processor's caches.
  ///
  /// - Complexity: O(log n) for each entry, and less the closer together they are.
  /// - Throws: The errors of ``apply(_:_:)``, and any error of `next`.
  package mutating func merge<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ ties: inout Ties, _ next: () throws -> IndexEntry?
  ) throws where Ties.Token == RowID {
    var operations: [IndexOperation<RowID>] = []
    while let entry = try next() {
      operations.append(.insert(entry.words, entry.row, token: entry.row))
      guard operations.count == Self.gatheredMax else { continue }
      try apply(operations.span, &ties)
      operations.removeAll(keepingCapacity: true)
    }
    try apply(operations.span, &ties)
  }

  private static var gatheredMax: Int { 1024 }

  /// Applies the operations in a range, all of which belong below a node.
  mutating func update<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ node: UInt32, _ level: Int, _ operations: Span<IndexOperation<Ties.Token>>,
    _ range: Range<Int>, _ edges: Edges, _ ties: inout Ties
  ) throws -> Outcome {
    try require(node, level)
    return level == 0
      ? try updateLeaf(node, operations, range, edges, &ties)
      : try updateBranches(node, level, operations, range, edges, &ties)
  }

  private mutating func updateBranches<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ node: UInt32, _ level: Int, _ operations: Span<IndexOperation<Ties.Token>>,
    _ range: Range<Int>, _ edges: Edges, _ ties: inout Ties
  ) throws -> Outcome {
    let size = nodeView(node, level).count
    var (start, difference) = (range.lowerBound, 0)
    var repairs: [Repair] = []
    var child = try nodeView(node, level).child(for: operations[start].key, from: 0, &ties)
    while start < range.upperBound {
      let (end, next) = try endOfRun(
        of: child, in: node, level, operations, start..<range.upperBound, &ties)
      prefetch(childAt: next, of: node, level)
      let childEdges = edges.ofChild(child, of: size)
      let below = nodeView(node, level).child(child)
      let outcome = try update(below, level - 1, operations, start..<end, childEdges, &ties)
      let layout = layout
      var bytes = edit(node)
      layout.put(outcome.branch, at: child, &bytes)
      let isThin = isThin(outcome.size, level - 1, childEdges)
      if isThin || !outcome.siblings.isEmpty {
        repairs.append(Repair(child: child, siblings: outcome.siblings, isThin: isThin))
      }
      difference += outcome.difference
      (start, child) = (end, next)
    }
    guard repairs.isEmpty else {
      return try repair(node, level, repairs, edges, difference)
    }
    return outcome(of: node, level, difference)
  }

  /// Prefetches a child into the processor's caches, which cannot hold a large index, so that the
  /// next leaf loads while one is processed.
  @inline(__always)
  private func prefetch(childAt index: Int, of node: UInt32, _ level: Int) {
    guard level == 1 else { return }
    let child = nodeView(node, level).child(index)
    arrays.prefetch(Int(child), layout.rows(layout.leafCapacity), stride: 256)
  }

  /// Returns the end of the operations that belong below a child, and the child for the next one.
  @inline(__always)
  private func endOfRun<Ties: TieBreaker & ~Copyable & ~Escapable>(
    of child: Int, in node: UInt32, _ level: Int,
    _ operations: Span<IndexOperation<Ties.Token>>, _ range: Range<Int>, _ ties: inout Ties
  ) throws -> (end: Int, next: Int) {
    let view = nodeView(node, level)
    var end = range.lowerBound + 1
    while end < range.upperBound {
      let next = try view.child(for: operations[end].key, from: child, &ties)
      if next != child { return (end, next) }
      end += 1
    }
    return (end, child)
  }
}
