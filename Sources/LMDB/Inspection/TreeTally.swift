/// The counts from a walk of one tree.
struct TreeTally {
  var branchPages: UInt64 = 0
  var leafPages: UInt64 = 0
  var overflowPages: UInt64 = 0
  var entries: UInt64 = 0
  /// The depth of the first leaf page; 0 if there is none.
  var depth = 0

  /// Whether the counts match the descriptor's.
  func matches(_ tree: TreeDescriptor) -> Bool {
    branchPages == tree.branchPages && leafPages == tree.leafPages
      && overflowPages == tree.overflowPages && entries == tree.entries && depth == tree.depth
  }

  /// Adds the page counts of another tree.
  mutating func add(pagesOf other: TreeTally) {
    branchPages += other.branchPages
    leafPages += other.leafPages
    overflowPages += other.overflowPages
  }
}
