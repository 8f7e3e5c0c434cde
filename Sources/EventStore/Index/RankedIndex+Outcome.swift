import LMDB

/// The effect of a batch on a node, as reported to its parent.
extension RankedIndex {
  /// The ends of its level at which a node is.
  struct Edges: OptionSet {
    let rawValue: UInt8
    static let left = Edges(rawValue: 1)
    static let right = Edges(rawValue: 2)

    /// Returns the edges of the child at an index of `count`.
    @inline(__always)
    func ofChild(_ index: Int, of count: Int) -> Edges {
      var edges = self
      if index > 0 { edges.remove(.left) }
      if index + 1 < count { edges.remove(.right) }
      return edges
    }
  }

  /// The result of updating a node.
  struct Outcome {
    /// The parent's new description of the node; only its count is valid if the node is empty.
    var branch: Branch
    /// The new nodes after it, if it was split.
    var siblings: [Branch] = []
    /// The change in the number of entries below the node and its new siblings.
    var difference = 0
    /// The number of entries or children of the node.
    var size: Int
  }

  /// Returns whether a node of some size must be joined with a neighbour or removed.
  @inline(__always)
  func isThin(_ size: Int, _ level: Int, _ edges: Edges) -> Bool {
    size == 0 || (edges.isEmpty && size < layout.minimum(level))
  }

  /// Returns the outcome for a node that was neither split nor emptied.
  func outcome(of node: UInt32, _ level: Int, _ difference: Int) -> Outcome {
    let view = nodeView(node, level)
    let count = level == 0 ? view.count : view.below(before: view.count)
    let branch = Branch(entry: view.entry(0), node: node, count: UInt32(count))
    return Outcome(branch: branch, difference: difference, size: view.count)
  }

  /// Returns the outcome for an emptied node.
  func emptyOutcome(of node: UInt32, _ difference: Int) -> Outcome {
    let nothing = IndexEntry(SortWords(), RowID(rawValue: 0))
    let branch = Branch(entry: nothing, node: node, count: 0)
    return Outcome(branch: branch, difference: difference, size: 0)
  }
}
