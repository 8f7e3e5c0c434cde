extension ChangeSet {
  /// Returns whether ``applying(to:)`` accepts a list.
  ///
  /// A list from a file may be that of another window: then begin again with the whole list. One of
  /// another query may have the right count by chance.
  ///
  /// - Complexity: O(1)
  public func fits(_ list: RowList) -> Bool { isReset || list.count == oldCount }

  /// Returns the new list made from the old one; the two share all rows the change did not touch.
  ///
  /// Traps unless the change set ``fits(_:)`` the list.
  ///
  /// - Complexity: O(k log n) for k edits.
  public func applying(to list: RowList) -> RowList {
    precondition(fits(list), "the change set is of another list")
    switch content {
    case .reset(let rows): return rows
    case .edits(let edits):
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
