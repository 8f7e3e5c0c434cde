import LMDB

extension RankedIndex {
  /// Applies the operations in a range, all of which belong in a leaf.
  mutating func updateLeaf<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ node: UInt32, _ operations: Span<IndexOperation<Ties.Token>>, _ range: Range<Int>,
    _ edges: Edges, _ ties: inout Ties
  ) throws -> Outcome {
    var size = nodeView(node, 0).count
    let insertions = insertions(operations, range)
    guard size + insertions <= layout.leafCapacity else {
      return try divideLeaf(node, operations, range, edges, &ties)
    }
    let layout = layout
    var start = 0
    for number in range {
      let operation = operations[number]
      let place = try nodeView(node, 0).position(of: operation.key, from: start, &ties)
      guard place.isFound || operation.isInsertion else { throw absent(operation.row) }
      var bytes = edit(node)
      if operation.isInsertion {
        layout.insert(operation.entry, at: place.index, of: size, &bytes)
      } else {
        layout.remove(at: place.index, of: size, &bytes)
      }
      size += operation.isInsertion ? 1 : -1
      start = place.index + (operation.isInsertion ? 1 : 0)
    }
    let difference = 2 * insertions - range.count
    return size == 0 ? emptyOutcome(of: node, difference) : outcome(of: node, 0, difference)
  }

  @inline(__always)
  private func insertions<Token>(
    _ operations: Span<IndexOperation<Token>>, _ range: Range<Int>
  ) -> Int {
    var count = 0
    for number in range { count += operations[number].isInsertion ? 1 : 0 }
    return count
  }

  /// Applies operations whose entries do not fit in the leaf.
  private mutating func divideLeaf<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ node: UInt32, _ operations: Span<IndexOperation<Ties.Token>>, _ range: Range<Int>,
    _ edges: Edges, _ ties: inout Ties
  ) throws -> Outcome {
    let size = nodeView(node, 0).count
    let (entries, changes) = try merge(node, operations, range, &ties)
    var filling = Filling(
      atLeftEnd: edges.contains(.left) && size > 0 && changes.upperBound == 0,
      atRightEnd: edges.contains(.right) && size > 0 && changes.lowerBound == size)
    if filling == .even {
      filling = changes.lowerBound + changes.upperBound < size ? .leavingRight : .leavingLeft
    }
    var outcome = try write(entries, from: node, filling)
    outcome.difference = entries.count - size
    return outcome
  }

  /// Returns the entries of a leaf after the operations, and the old indices between which the
  /// first and the last operation happened.
  private func merge<Ties: TieBreaker & ~Copyable & ~Escapable>(
    _ node: UInt32, _ operations: Span<IndexOperation<Ties.Token>>, _ range: Range<Int>,
    _ ties: inout Ties
  ) throws -> (entries: [IndexEntry], changes: ClosedRange<Int>) {
    let view = nodeView(node, 0)
    var entries: [IndexEntry] = []
    entries.reserveCapacity(view.count + range.count)
    var (start, first, last) = (0, view.count, 0)
    // Merged operations ascend, so if there are many, each is near the previous one.
    let distance = range.count < Self.manyMin ? Int.max : view.count / range.count
    for number in range {
      let operation = operations[number]
      let place = try view.position(
        of: operation.key, from: start, expectedWithin: distance, &ties)
      guard place.isFound || operation.isInsertion else { throw absent(operation.row) }
      for index in start..<place.index { entries.append(view.entry(index)) }
      if operation.isInsertion { entries.append(operation.entry) }
      start = place.index + (operation.isInsertion ? 0 : 1)
      (first, last) = (min(first, place.index), place.index)
    }
    for index in start..<view.count { entries.append(view.entry(index)) }
    return (entries, first...last)
  }

  /// The minimum number of operations on a leaf for which each is expected near the previous one.
  private static var manyMin: Int { 8 }

  /// The way in which entries or children are divided among nodes.
  enum Filling {
    /// All nodes get equally many, give or take one.
    case even
    /// All nodes but the first are full, because more will come before it.
    case fromRight
    /// All nodes but the last are full, because more will come after it.
    case fromLeft
    /// Like ``even``, but if there are two nodes, the last is half full: more will come to the
    /// first, and two such halves, once left behind, can be joined into one full node.
    case leavingRight
    /// Like `leavingRight`, but the first node is left behind.
    case leavingLeft

    init(atLeftEnd: Bool, atRightEnd: Bool) {
      self = atRightEnd ? .fromLeft : atLeftEnd ? .fromRight : .even
    }

    /// Returns the end of a part if `count` items are divided among as few nodes as can hold them.
    func end(ofPart part: Int, of count: Int, capacity: Int) -> Int {
      let parts = (count + capacity - 1) / capacity
      let half = count - capacity / 2 <= capacity ? capacity / 2 : count / 2
      return switch self {
      case .leavingRight where parts == 2 && part == 0: count - half
      case .leavingLeft where parts == 2 && part == 0: half
      case .even, .leavingRight, .leavingLeft: count * (part + 1) / parts
      case .fromLeft: min(count, capacity * (part + 1))
      case .fromRight: count - capacity * (parts - 1 - part)
      }
    }
  }

  /// Writes entries into a leaf, and those that do not fit into new leaves after it.
  mutating func write(
    _ entries: [IndexEntry], from leaf: UInt32, _ filling: Filling
  ) throws -> Outcome {
    guard !entries.isEmpty else { return emptyOutcome(of: leaf, 0) }
    var (branches, start): ([Branch], Int) = ([], 0)
    while start < entries.count {
      let end = filling.end(
        ofPart: branches.count, of: entries.count, capacity: layout.leafCapacity)
      let node = start == 0 ? leaf : try makeNode(level: 0)
      fill(node, with: entries, start..<end)
      branches.append(
        Branch(entry: entries[start], node: node, count: UInt32(end - start)))
      start = end
    }
    return Outcome(
      branch: branches[0], siblings: Array(branches.dropFirst()), size: Int(branches[0].count))
  }

  private mutating func fill(
    _ node: UInt32, with entries: [IndexEntry], _ range: Range<Int>
  ) {
    let layout = layout
    var bytes = edit(node)
    for index in range {
      layout.put(entries[index], at: index - range.lowerBound, layout.leafCapacity, &bytes)
    }
    layout.set(count: range.count, &bytes)
  }
}
