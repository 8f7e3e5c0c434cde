extension Transition {
  /// Returns the rows of both lists that must move so that the others need not, in the order of the
  /// new list.
  ///
  /// As many rows as possible stay. Among several equally large choices, the one whose old indices
  /// are lexicographically first stays. The moves therefore depend only on the two lists, not on
  /// which rows were touched in between.
  ///
  /// - Complexity: O(k log k) for k touched rows, plus O(m) for m moves.
  package func moves() -> [ChangeSet.Move] {
    guard !isOrdered else { return [] }
    var blocks: [Run] = []
    blocks.reserveCapacity(departures.count + 2 * arrivals.count + 1)
    walk(
      untouched: { blocks.append($0) },
      touched: { blocks.append(Run(old: $0.old, new: $0.new, count: 1)) })
    var moves: [ChangeSet.Move] = []
    if let mover = Self.onlyMover(of: blocks) {
      mover.appendMoves(to: &moves)
      return moves
    }
    var staying = LongestIncrease(blocks).members[...]
    for (index, block) in blocks.enumerated() {
      if staying.first == index {
        staying.removeFirst()
      } else {
        block.appendMoves(to: &moves)
      }
    }
    return moves
  }

  /// Whether the rows in both lists have the same order.
  private var isOrdered: Bool {
    var (last, isOrdered) = (-1, true)
    let look = { (old: Int) in
      if old < last { isOrdered = false }
      last = old
    }
    walk(untouched: { look($0.old) }, touched: { look($0.old) })
    return isOrdered
  }

  /// Returns the block that moves if exchanging two neighbours restores the order: the smaller of
  /// the two, or else the one with the greater old index.
  ///
  /// This is the most common case: a single row moved.
  private static func onlyMover(of blocks: [Run]) -> Run? {
    guard let second = blocks.indices.dropFirst().first(where: { isDescent(blocks, at: $0) })
    else { return nil }
    let (early, late) = (blocks[second], blocks[second - 1])
    guard second < 2 || blocks[second - 2].old < early.old,
      second + 1 == blocks.count || late.old < blocks[second + 1].old,
      !blocks.indices.dropFirst(second + 1).contains(where: { isDescent(blocks, at: $0) })
    else { return nil }
    return early.count < late.count ? early : late
  }

  private static func isDescent(_ blocks: [Run], at index: Int) -> Bool {
    blocks[index - 1].old > blocks[index].old
  }
}

extension Transition.Run {
  fileprivate func appendMoves(to moves: inout [ChangeSet.Move]) {
    for row in 0..<count { moves.append(ChangeSet.Move(old: old + row, new: new + row)) }
  }
}

/// The heaviest selection of blocks with ascending old indices; among equally heavy ones, the one
/// whose old indices are lexicographically first.
///
/// Rows that are adjacent in both lists stay or move together, because any selection with one of
/// them can include them all. A run therefore counts as one weighted block.
private struct LongestIncrease {
  private let blocks: [Transition.Run]
  /// The weight of the best selection that begins with each block.
  private var weights: [Int]
  /// A tree of prefix maxima over the blocks, in descending order of old index.
  private var best: [Int]

  private static let none = -1
  /// The indices of the selected blocks, ascending.
  private(set) var members: [Int] = []

  init(_ blocks: [Transition.Run]) {
    self.blocks = blocks
    weights = Array(repeating: 0, count: blocks.count)
    best = Array(repeating: Self.none, count: blocks.count + 1)
    let places = placesDescending()
    var next = weights
    for block in blocks.indices.reversed() {
      next[block] = leader(below: places[block])
      let rest = next[block] == Self.none ? 0 : weights[next[block]]
      weights[block] = blocks[block].count + rest
      enter(block, at: places[block])
    }
    var member = leader(below: blocks.count)
    while member != Self.none {
      members.append(member)
      member = next[member]
    }
  }

  /// Returns, for each block, the number of blocks with a greater old index.
  private func placesDescending() -> [Int] {
    var places = weights
    let descending = blocks.indices.sorted { blocks[$0].old > blocks[$1].old }
    for (place, block) in descending.enumerated() { places[block] = place }
    return places
  }

  /// Returns the best first block among those entered at a lower place.
  private func leader(below place: Int) -> Int {
    var (node, leader) = (place, Self.none)
    while node > 0 {
      leader = better(best[node], leader)
      node &= node - 1
    }
    return leader
  }

  private mutating func enter(_ block: Int, at place: Int) {
    var node = place + 1
    while node < best.count {
      best[node] = better(best[node], block)
      node += node & -node
    }
  }

  private func better(_ a: Int, _ b: Int) -> Int {
    guard a != Self.none, b != Self.none else { return max(a, b) }
    guard weights[a] == weights[b] else { return weights[a] > weights[b] ? a : b }
    return blocks[a].old < blocks[b].old ? a : b
  }
}
