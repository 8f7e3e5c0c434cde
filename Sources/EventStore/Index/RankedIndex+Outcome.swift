import LMDB

/// What becomes of a node that a batch touches, as the node above is told.
extension RankedIndex {
  /// The ends of its level that a node stands at.
  struct Edges: OptionSet {
    let rawValue: UInt8
    static let left = Edges(rawValue: 1)
    static let right = Edges(rawValue: 2)

    /// Those of the child at an index of `count`.
    @inline(__always)
    func ofChild(_ index: Int, of count: Int) -> Edges {
      var edges = self
      if index > 0 { edges.remove(.left) }
      if index + 1 < count { edges.remove(.right) }
      return edges
    }
  }

  /// What became of a node.
  struct Outcome {
    /// What the node above is to know of it; where nothing is below it any more, only the count
    /// counts.
    var branch: Branch
    /// New nodes that follow it, where it was divided.
    var siblings: [Branch] = []
    /// By how much the entries below it, and below its new siblings, became more.
    var difference = 0
    /// How many entries or children it has.
    var size: Int
  }

  /// Whether a node of so many entries or children must be joined with a neighbour, or go.
  @inline(__always)
  func isThin(_ size: Int, _ level: Int, _ edges: Edges) -> Bool {
    size == 0 || (edges.isEmpty && size < layout.minimum(level))
  }

  /// What a node that was neither divided nor emptied is now.
  func outcome(of node: UInt32, _ level: Int, _ difference: Int) -> Outcome {
    let view = nodeView(node, level)
    let count = level == 0 ? view.count : view.below(before: view.count)
    let branch = Branch(entry: view.entry(0), node: node, count: UInt32(count))
    return Outcome(branch: branch, difference: difference, size: view.count)
  }

  /// What a node is that holds nothing any more.
  func emptyOutcome(of node: UInt32, _ difference: Int) -> Outcome {
    let nothing = IndexEntry(SortWords(), RowID(rawValue: 0))
    let branch = Branch(entry: nothing, node: node, count: 0)
    return Outcome(branch: branch, difference: difference, size: 0)
  }
}
