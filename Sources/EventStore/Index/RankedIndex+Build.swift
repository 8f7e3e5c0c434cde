import LMDB

extension RankedIndex {
  /// Fills an empty index with ascending entries, bottom up, in O(n).
  ///
  /// Every node except the last of each level is filled to the share `fill`, which is at least a
  /// half, so that the first insertions do not split them all. The caller guarantees that entries
  /// with equal words ascend. Traps if the index is not empty.
  ///
  /// - Throws: `disordered` if words descend, and any error of `next`.
  package mutating func build(
    fill: Double = 0.9, _ next: () throws -> IndexEntry?
  ) throws {
    precondition(count == 0, "the index is not empty")
    bigGroups.removeAll()
    var levels = Levels(layout, fill: min(max(fill, 0.5), 1))
    var entries: [IndexEntry] = []
    var last: SortWords?
    while let entry = try next() {
      if let last, entry.words < last {
        throw IndexError.disordered(view: self.view, entry.row)
      }
      last = entry.words
      entries.append(entry)
      if entries.count == levels.leafTarget { try addLeaf(&entries, &levels) }
    }
    if !entries.isEmpty { try addLeaf(&entries, &levels) }
    try close(&levels)
  }

  /// The branches of each level that have no parent yet.
  private struct Levels {
    let leafTarget: Int
    let branchTarget: Int
    var waiting: [[Branch]] = []
    var count = 0

    init(_ layout: NodeLayout, fill: Double) {
      leafTarget = max(layout.minimum(0), Int(Double(layout.leafCapacity) * fill))
      branchTarget = max(layout.minimum(1), Int(Double(layout.branchCapacity) * fill))
    }
  }

  private mutating func addLeaf(
    _ entries: inout [IndexEntry], _ levels: inout Levels
  ) throws {
    let outcome = try write(entries, from: makeNode(level: 0), .even)
    levels.count += entries.count
    entries.removeAll(keepingCapacity: true)
    try add(outcome.branch, 0, &levels)
  }

  private mutating func add(_ branch: Branch, _ level: Int, _ levels: inout Levels) throws {
    if level == levels.waiting.count { levels.waiting.append([]) }
    levels.waiting[level].append(branch)
    if levels.waiting[level].count == levels.branchTarget { try addNode(level, &levels) }
  }

  /// Creates a parent for the waiting branches of a level.
  private mutating func addNode(_ level: Int, _ levels: inout Levels) throws {
    let above = level + 1
    let node = try makeNode(level: above)
    let outcome = try write(levels.waiting[level], from: node, above, .even)
    levels.waiting[level].removeAll(keepingCapacity: true)
    try add(outcome.branch, above, &levels)
  }

  /// Creates parents for all waiting branches, until a single node is left: the root.
  private mutating func close(_ levels: inout Levels) throws {
    var level = 0
    while level < levels.waiting.count {
      let isTop = level + 1 == levels.waiting.count
      if isTop, levels.waiting[level].count == 1 {
        setRoot(levels.waiting[level][0].node, height: level)
        break
      }
      if !levels.waiting[level].isEmpty { try addNode(level, &levels) }
      level += 1
    }
    header.count += levels.count
  }
}
