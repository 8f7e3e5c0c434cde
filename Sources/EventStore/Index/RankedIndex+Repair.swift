import LMDB

/// What changes the shape of the tree: rare, and so simple rather than fast.
extension RankedIndex {
  /// What must be done about a child.
  struct Repair {
    var child: Int
    /// New nodes that follow it.
    var siblings: [Branch]
    /// Whether it must be joined with a neighbour, or go.
    var isThin: Bool
  }

  /// Takes new children into a node, and joins those that became too small with their neighbours.
  mutating func repair(
    _ node: UInt32, _ level: Int, _ repairs: [Repair], _ edges: Edges, _ difference: Int
  ) throws -> Outcome {
    var children = branches(of: node, level)
    let last = children.count - 1
    for repair in repairs.reversed() {
      children[repair.child].isThin = repair.isThin
      children.insert(contentsOf: repair.siblings, at: repair.child + 1)
    }
    if level == 1 { try joinHalves(of: repairs, &children) }
    try join(&children, level - 1, edges)
    let filling = Filling(
      atLeftEnd: edges.contains(.left) && repairs[repairs.count - 1].child == 0,
      atRightEnd: edges.contains(.right) && repairs[0].child == last)
    var outcome = try write(children, from: node, level, filling)
    outcome.difference = difference
    return outcome
  }

  /// Joins either half of a leaf that was divided with its other neighbour, where one leaf can hold
  /// both: what is left behind when many come at one place is full in the end, and not half full.
  private mutating func joinHalves(of repairs: [Repair], _ leaves: inout [Branch]) throws {
    var added = repairs.reduce(0) { $0 + $1.siblings.count }
    for repair in repairs.reversed() {
      added -= repair.siblings.count
      guard repair.siblings.count == 1 else { continue }
      let first = repair.child + added
      if canJoinWithNext(first + 1, leaves) {
        try joinWithNext(&leaves, first + 1, 0)
      } else if canJoinWithNext(first - 1, leaves) {
        try joinWithNext(&leaves, first - 1, 0)
      }
    }
  }

  private func canJoinWithNext(_ index: Int, _ leaves: [Branch]) -> Bool {
    guard index >= 0, index + 1 < leaves.count else { return false }
    let (left, right) = (leaves[index], leaves[index + 1])
    return left.count > 0 && right.count > 0 && !left.isThin && !right.isThin
      && Int(left.count) + Int(right.count) <= layout.leafCapacity
  }

  func branches(of node: UInt32, _ level: Int) -> [Branch] {
    let view = nodeView(node, level)
    var branches: [Branch] = []
    branches.reserveCapacity(view.count + 4)
    for index in 0..<view.count { branches.append(view.branch(index)) }
    return branches
  }

  /// Frees the empty ones among neighbouring nodes of a level, and joins the thin ones with a
  /// neighbour.
  ///
  /// One that has no neighbour, or stands at an end, stays.
  private mutating func join(
    _ nodes: inout [Branch], _ level: Int, _ edges: Edges
  ) throws {
    // What stands in an empty node is out of date, so none may be joined with it.
    for index in nodes.indices.reversed() where nodes[index].count == 0 {
      release(nodes.remove(at: index).node)
    }
    var index = 0
    while index < nodes.count {
      guard nodes[index].isThin else {
        index += 1
        continue
      }
      nodes[index].isThin = false
      if nodes.count > 1, edges.ofChild(index, of: nodes.count).isEmpty {
        index = max(index - 1, 0)
        try joinWithNext(&nodes, index, level)
      }
    }
  }

  /// Joins a node with the next one, or divides what both have evenly where one can't hold it.
  private mutating func joinWithNext(
    _ nodes: inout [Branch], _ index: Int, _ level: Int
  ) throws {
    let (left, right) = (nodes[index].node, nodes[index + 1].node)
    try require(left, level)
    try require(right, level)
    let outcome: Outcome
    if level == 0 {
      let entries = entries(of: left) + entries(of: right)
      release(right)
      outcome = try write(entries, from: left, .even)
    } else {
      let children = try joinedBranches(of: left, right, level)
      release(right)
      outcome = try write(children, from: left, level, .even)
    }
    nodes.replaceSubrange(index...(index + 1), with: [outcome.branch] + outcome.siblings)
    nodes[index].isThin = outcome.size < layout.minimum(level)
  }

  /// The children of two neighbours; an only child, which had nobody to be joined with, is joined
  /// now where it is too small.
  private mutating func joinedBranches(
    of left: UInt32, _ right: UInt32, _ level: Int
  ) throws -> [Branch] {
    var children = branches(of: left, level)
    let seam = children.count
    children += branches(of: right, level)
    if seam == 1 { children[0].isThin = try isThin(children[0].node, level - 1) }
    if children.count == seam + 1 {
      children[seam].isThin = try isThin(children[seam].node, level - 1)
    }
    try join(&children, level - 1, [])
    return children
  }

  private mutating func isThin(_ node: UInt32, _ level: Int) throws -> Bool {
    try require(node, level)
    return isThin(nodeView(node, level).count, level, [])
  }

  private func entries(of leaf: UInt32) -> [IndexEntry] {
    let view = nodeView(leaf, 0)
    var entries: [IndexEntry] = []
    for index in 0..<view.count { entries.append(view.entry(index)) }
    return entries
  }

  /// Writes children into a node above the leaves, and what it has no room for into new ones
  /// behind it.
  mutating func write(
    _ children: [Branch], from node: UInt32, _ level: Int, _ filling: Filling
  ) throws -> Outcome {
    guard !children.isEmpty else { return emptyOutcome(of: node, 0) }
    var (branches, start, size): ([Branch], Int, Int) = ([], 0, 0)
    while start < children.count {
      let end = filling.end(
        ofPart: branches.count, of: children.count, capacity: layout.branchCapacity)
      let target = start == 0 ? node : try makeNode(level: level)
      branches.append(fill(target, with: children[start..<end]))
      if start == 0 { size = end }
      start = end
    }
    return Outcome(branch: branches[0], siblings: Array(branches.dropFirst()), size: size)
  }

  private mutating func fill(_ node: UInt32, with children: ArraySlice<Branch>) -> Branch {
    let layout = layout
    var bytes = edit(node)
    for (index, child) in children.enumerated() { layout.put(child, at: index, &bytes) }
    layout.set(count: children.count, &bytes)
    let count = children.reduce(0) { $0 + $1.count }
    return Branch(entry: children[children.startIndex].entry, node: node, count: count)
  }

  /// Takes in what became of the root.
  mutating func takeRoot(_ outcome: Outcome) throws {
    let staysRoot = outcome.siblings.isEmpty && outcome.size > (height == 0 ? 0 : 1)
    if !staysRoot { try settleRoot(outcome) }
    header.count += outcome.difference
  }

  /// Puts levels above a root that was divided, and takes off those with one child only.
  private mutating func settleRoot(_ outcome: Outcome) throws {
    guard outcome.size > 0 else {
      release(root)
      return setRoot(0, height: 0)
    }
    var (nodes, level) = ([outcome.branch] + outcome.siblings, height)
    while nodes.count > 1 {
      level += 1
      let above = try write(nodes, from: makeNode(level: level), level, .even)
      nodes = [above.branch] + above.siblings
    }
    var top = nodes[0].node
    while level > 0 {
      try require(top, level)
      guard nodeView(top, level).count == 1 else { break }
      let only = nodeView(top, level).child(0)
      release(top)
      (top, level) = (only, level - 1)
    }
    setRoot(top, height: level)
  }
}
