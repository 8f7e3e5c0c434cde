/// What a walk came by in one tree.
struct TreeTally {
  var branchPages: UInt64 = 0
  var leafPages: UInt64 = 0
  var overflowPages: UInt64 = 0
  var entries: UInt64 = 0
  /// The depth of the first leaf page, 0 where there is none.
  var depth = 0

  /// Whether the descriptor says the same.
  func matches(_ tree: TreeDescriptor) -> Bool {
    branchPages == tree.branchPages && leafPages == tree.leafPages
      && overflowPages == tree.overflowPages && entries == tree.entries && depth == tree.depth
  }

  /// Adds the pages of another tree.
  mutating func add(pagesOf other: TreeTally) {
    branchPages += other.branchPages
    leafPages += other.leafPages
    overflowPages += other.overflowPages
  }
}
