import LMDB

extension RankedIndex {
  /// Checks all invariants of an index: entries ascend, counts and first entries are exact, nodes
  /// are filled enough, each node is either in the tree or free, exactly once, and the kept groups
  /// are exact.
  ///
  /// For tests and tools. O(n), reading every node. `ascend` decides whether entries with equal
  /// words ascend.
  ///
  /// - Throws: ``IndexError`` for the first invalid node.
  package mutating func checkInvariants(
    _ ascend: (RowID, RowID) throws -> Bool = { _, _ in true }
  ) throws {
    var seen = [Bool](repeating: false, count: Int(header.next))
    seen[0] = true
    if root == 0 {
      try demand(height == 0 && count == 0, 0, "an empty index has no levels and no entries")
    } else {
      let found = try checkNode(root, height, [.left, .right], isRoot: true, &seen, ascend)
      try demand(found.count == count, root, "the header's count is exact")
    }
    try checkFree(&seen)
    try checkGroups()
    let lost = seen.firstIndex(of: false)
    try demand(lost == nil, UInt32(lost ?? 0), "every node is in the tree or free")
  }

  private func demand(
    _ condition: Bool, _ node: UInt32, _ invariant: String
  ) throws(IndexError) {
    guard condition else { throw damaged(node, .invariant(invariant)) }
  }

  /// The extent of the entries below a node.
  private struct Extent {
    var first: IndexEntry
    var last: IndexEntry
    var count: Int
  }

  private mutating func checkNode(
    _ node: UInt32, _ level: Int, _ edges: Edges, isRoot: Bool, _ seen: inout [Bool],
    _ ascend: (RowID, RowID) throws -> Bool
  ) throws -> Extent {
    trim()
    try require(node, level)
    try demand(!seen[Int(node)], node, "a node is used once")
    seen[Int(node)] = true
    let size = nodeView(node, level).count
    let minimum = isRoot ? (level == 0 ? 1 : 2) : edges.isEmpty ? layout.minimum(level) : 1
    try demand(size >= minimum, node, "a node is filled enough: \(size) of \(minimum)")
    return level == 0
      ? try checkLeaf(node, ascend)
      : try checkBranches(node, level, edges, &seen, ascend)
  }

  private func checkLeaf(
    _ node: UInt32, _ ascend: (RowID, RowID) throws -> Bool
  ) throws -> Extent {
    let view = nodeView(node, 0)
    for index in 1..<max(view.count, 1) {
      let isAscending = try areAscending(view.entry(index - 1), view.entry(index), ascend)
      try demand(isAscending, node, "entries ascend")
    }
    return Extent(first: view.entry(0), last: view.entry(view.count - 1), count: view.count)
  }

  private mutating func checkBranches(
    _ node: UInt32, _ level: Int, _ edges: Edges, _ seen: inout [Bool],
    _ ascend: (RowID, RowID) throws -> Bool
  ) throws -> Extent {
    let branches = branches(of: node, level)
    var all: Extent?
    for (index, branch) in branches.enumerated() {
      let edges = edges.ofChild(index, of: branches.count)
      let below = try checkNode(branch.node, level - 1, edges, isRoot: false, &seen, ascend)
      try demand(below.first == branch.entry, node, "a child's first entry is exact")
      try demand(below.count == Int(branch.count), node, "a child's count is exact")
      if let all {
        try demand(areAscending(all.last, below.first, ascend), node, "children ascend")
      }
      all = Extent(
        first: all?.first ?? below.first, last: below.last, count: (all?.count ?? 0) + below.count)
    }
    guard let all else { throw damaged(node, .invariant("a node has children")) }
    return all
  }

  private mutating func checkGroups() throws {
    for group in bigGroups.groups {
      let found = try findRanks(ofGroup: group.word).ranks
      try demand(found == group.ranks, root, "the ranks kept of a group are exact")
    }
  }

  private func areAscending(
    _ left: IndexEntry, _ right: IndexEntry, _ ascend: (RowID, RowID) throws -> Bool
  ) throws -> Bool {
    try left.words == right.words ? ascend(left.row, right.row) : left.words < right.words
  }

  private mutating func checkFree(_ seen: inout [Bool]) throws {
    var (node, count) = (header.free, 0)
    while node != 0 {
      try require(node, Int(NodeLayout.freeLevel))
      try demand(!seen[Int(node)], node, "a free node is not used")
      seen[Int(node)] = true
      node = nextFree(after: node)
      count += 1
    }
    try demand(count == Int(header.freeCount), header.free, "the count of free nodes is exact")
  }
}
