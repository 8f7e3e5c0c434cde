extension ListBook {
  /// Applies the operations collected for an index.
  mutating func apply(_ view: Int, _ shelf: Shelf, _ isInEvent: Bool) throws {
    var ties = KeyTies(UInt16(view), views[view].plan, shelf, nets, changes.keys)
    ties.isInEvent = isInEvent
    let count = operations[view].count
    guard count <= Self.singlesMax else {
      ties.recent = RecentKeys(isKept: true)
      return try views[view].index.apply(sortedOperations(of: view).span, &ties)
    }
    // Removals come first so that an equal key can be inserted.
    for index in 0..<count where !operations[view][index].isInsertion {
      let operation = operations[view][index]
      try views[view].index.remove(operation.words, operation.row, token: operation.token, &ties)
    }
    ties.isPastRemovals = true
    for index in 0..<count where operations[view][index].isInsertion {
      let operation = operations[view][index]
      try views[view].index.insert(operation.words, operation.row, token: operation.token, &ties)
    }
  }

  /// The largest number of operations that are cheaper one by one than sorted and batched.
  private static let singlesMax = 4

  /// Returns a view's operations in key order; for equal keys, removals come first.
  private func sortedOperations(of view: Int) -> [IndexOperation<Range<Int>>] {
    let (operations, plan, keys) = (operations[view], views[view].plan, changes.keys)
    let order = WordOrder(count: operations.count) {
      operations[$0].words
    } _: { left, right in
      let order = plan.compare(
        keys.bytes(at: operations[left].token), keys.bytes(at: operations[right].token))
      return order == 0
        ? !operations[left].isInsertion && operations[right].isInsertion : order < 0
    }
    return order.sorted(operations)
  }
}
