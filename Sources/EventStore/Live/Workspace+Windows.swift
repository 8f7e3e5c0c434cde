import LMDB

/// Moving the window of a list.
extension Workspace {
  /// Moves an observer's window and delivers the difference.
  ///
  /// Delivers even an empty difference: at the position that the observer knows, the new window may
  /// have shown something else.
  func show(_ window: ListWindow, to id: UInt64) throws {
    try requireWhole()
    guard let looker = hub.lookers[id] else { return }
    let old = looker.window
    let new = ListWindow(
      lowerBound: window.lowerBound, upperBound: window.upperBound, hasTotal: old.hasTotal)
    guard new != old else { return }
    // An observer awaiting a reset will then receive the new window's rows.
    guard !isStale else { return hub.move(id, to: new) }
    let set = try difference(of: looker.list, from: old, at: looker.position, to: new)
    hub.move(id, to: new)
    looker.take(set, movesWindow: true)
  }

  /// Returns the difference between two windows of a list, in neither of which anything has changed
  /// since a position.
  private func difference(
    of list: ListID, from old: ListWindow, at start: Position, to new: ListWindow
  ) throws -> ChangeSet {
    let ranks = try state.lists.ranks(list.view, group: list.group)
    let (before, after) = (old.part(of: ranks), new.part(of: ranks))
    var edits = ChangeSet.Edits()
    for part in before.without(after) {
      for (rank, row) in zip(part, try rows(of: list, in: part, of: ranks)) {
        let index = rank - before.lowerBound
        edits.removals.append(ChangeSet.Removal(index: index, trace: RowTrace(row)))
      }
    }
    for part in after.without(before) {
      for (rank, row) in zip(part, try rows(of: list, in: part, of: ranks)) {
        edits.insertions.append(ChangeSet.Insertion(index: rank - after.lowerBound, row: row))
      }
    }
    let total = new.hasTotal ? ranks.count : nil
    return ChangeSet(
      from: start, to: position, oldCount: before.count, newCount: after.count, oldTotal: total,
      newTotal: total, edits: edits)
  }
}

extension Range<Int> {
  /// Returns the parts of this range before and after another.
  fileprivate func without(_ other: Range<Int>) -> [Range<Int>] {
    guard overlaps(other) else { return [self] }
    return [
      lowerBound..<Swift.max(lowerBound, other.lowerBound),
      Swift.min(upperBound, other.upperBound)..<upperBound,
    ]
  }
}
