import LMDB

/// Removing very many entries.
extension RankedIndex {
  /// Removes all entries.
  ///
  /// - Complexity: O(nodes), of which only inner nodes are read.
  /// - Throws: ``IndexError``, and any error of the base's reader.
  package mutating func removeAll() throws {
    guard root != 0 else { return }
    trim()
    bigGroups.removeAll()
    try releaseAll(root, height)
    (header.count, header.hash) = (0, 0)
    setRoot(0, height: 0)
  }

  private mutating func releaseAll(_ node: UInt32, _ level: Int) throws {
    if level > 0 {
      try require(node, level)
      for child in branches(of: node, level) { try releaseAll(child.node, level - 1) }
    }
    release(node)
  }

  /// Removes all entries of some rows, in whatever lists they are.
  ///
  /// - Complexity: O(n) to visit all entries; only nodes that lose entries are changed.
  /// - Throws: ``IndexError``, and any error of the base's reader.
  package mutating func removeAll(of rows: RowSet) throws {
    guard root != 0, !rows.isEmpty else { return }
    trim()
    bigGroups.removeAll()
    let outcome = try prune(root, height, rows, [.left, .right])
    try takeRoot(outcome)
  }

  private mutating func prune(
    _ node: UInt32, _ level: Int, _ rows: RowSet, _ edges: Edges
  ) throws -> Outcome {
    try require(node, level)
    return level == 0
      ? pruneLeaf(node, rows) : try pruneBranches(node, level, rows, edges)
  }

  private mutating func pruneLeaf(_ node: UInt32, _ rows: RowSet) -> Outcome {
    let (layout, count) = (layout, nodeView(node, 0).count)
    var kept = 0
    for index in 0..<count {
      let entry = nodeView(node, 0).entry(index)
      if rows.contains(entry.row.rawValue) { continue }
      if kept < index {
        var bytes = edit(node)
        layout.put(entry, at: kept, layout.leafCapacity, &bytes)
      }
      kept += 1
    }
    guard kept > 0 else { return emptyOutcome(of: node, -count) }
    if kept < count {
      var bytes = edit(node)
      layout.set(count: kept, &bytes)
    }
    return outcome(of: node, 0, kept - count)
  }

  private mutating func pruneBranches(
    _ node: UInt32, _ level: Int, _ rows: RowSet, _ edges: Edges
  ) throws -> Outcome {
    let size = nodeView(node, level).count
    var (repairs, difference): ([Repair], Int) = ([], 0)
    for child in 0..<size {
      let childEdges = edges.ofChild(child, of: size)
      let below = nodeView(node, level).child(child)
      let outcome = try prune(below, level - 1, rows, childEdges)
      guard outcome.difference != 0 else { continue }
      let layout = layout
      var bytes = edit(node)
      layout.put(outcome.branch, at: child, &bytes)
      difference += outcome.difference
      guard isThin(outcome.size, level - 1, childEdges) || !outcome.siblings.isEmpty else {
        continue
      }
      repairs.append(Repair(child: child, siblings: outcome.siblings, isThin: true))
    }
    guard repairs.isEmpty else {
      return try repair(node, level, repairs, edges, difference)
    }
    return outcome(of: node, level, difference)
  }
}
