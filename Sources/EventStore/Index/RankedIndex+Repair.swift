import LMDB

/// Operations that change the tree's shape: rare, and therefore simple rather than fast.
extension RankedIndex {
  /// The work to be done on a child.
  struct Repair {
    var child: Int
    /// The new nodes after it.
    var siblings: [Branch]
    /// Whether the child must be joined with a neighbour or removed.
    var isThin: Bool
  }

  /// Inserts new children into a node, and joins children that became too small with neighbours.
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

  /// Joins either half of a split leaf with its other neighbour if one leaf can hold both, so that
  /// leaves left behind by insertions at one place end up full rather than half full.
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

  /// Frees the empty nodes among neighbours on a level, and joins the thin ones with a neighbour.
  ///
  /// A thin node that has no neighbour, or is at an end of its level, stays.
  private mutating func join(
    _ nodes: inout [Branch], _ level: Int, _ edges: Edges
  ) throws {
    // The entry of an empty node is out of date, so no node may be joined with it.
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

  /// Joins a node with the next one, or divides their content evenly if one node cannot hold it.
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

  /// Returns the children of two neighbours; an only child that is too small, and had no neighbour
  /// to be joined with, is joined now.
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

  /// Writes children into an inner node, and those that do not fit into new nodes after it.
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

  /// Applies the outcome for the root.
  mutating func takeRoot(_ outcome: Outcome) throws {
    let staysRoot = outcome.siblings.isEmpty && outcome.size > (height == 0 ? 0 : 1)
    if !staysRoot { try settleRoot(outcome) }
    header.count += outcome.difference
  }

  /// Adds levels above a split root, or removes levels with a single child.
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
