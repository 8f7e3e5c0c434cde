extension ChangeSet {
  /// The new list, made of the old one; both share all rows that had no part in the change.
  ///
  /// Traps where the list is not as long as the old one was.
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

  /// From the last to the first, as a removal changes the indices behind it.
  private func removeRows(from tree: inout CountedTree<Row>) {
    let leaving = (removals.map(\.index) + moves.map(\.old)).sorted(by: >)
    for index in leaving { tree.remove(at: index) }
  }

  /// From the first to the last, so that each is inserted where it is in the end.
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
