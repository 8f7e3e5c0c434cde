extension ChangeSet {
  /// Returns the new list made from the old one; the two share all rows the change did not touch.
  ///
  /// Traps if the change set has edits and the list's count differs from the old list's.
  ///
  /// - Complexity: O(k log n) for k edits.
  public func applying(to list: RowList) -> RowList {
    switch content {
    case .reset(let rows): return rows
    case .edits(let edits):
      precondition(list.count == oldCount, "the change set is of another list")
      var tree = list.tree
      edits.apply(to: &tree)
      return RowList(tree)
    }
  }
}

extension ChangeSet.Edits {
  fileprivate func apply(to tree: inout CountedTree<Row>) {
    let moved = moves.map { tree[$0.old] }
    removeRows(from: &tree)
    insertRows(moved, into: &tree)
    for update in updates { tree[update.index] = update.row }
  }

  /// Removes from last to first, because a removal shifts the indices after it.
  private func removeRows(from tree: inout CountedTree<Row>) {
    let leaving = (removals.map(\.index) + moves.map(\.old)).sorted(by: >)
    for index in leaving { tree.remove(at: index) }
  }

  /// Inserts from first to last, so that each row lands at its final index.
  private func insertRows(_ moved: [Row], into tree: inout CountedTree<Row>) {
    var waiting = insertions[...]
    for (move, row) in zip(moves, moved) {
      while let next = waiting.first, next.index < move.new {
        tree.insert(next.row, at: next.index)
        waiting.removeFirst()
      }
      tree.insert(row, at: move.new)
    }
    for next in waiting { tree.insert(next.row, at: next.index) }
  }
}
