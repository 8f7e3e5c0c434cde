/// One row's passage from a list at one position to the list at a later one.
struct Passage {
  /// The row's index in the old list, or `nowhere`.
  let old: Int
  /// The row's index in the new list, or `nowhere`.
  let new: Int
  /// The row's trace, if it is removed.
  let trace: RowTrace?
  /// The row, if it is inserted or updated.
  let row: Row?
  /// The changed fields, if the row is updated.
  let difference: RowDifference

  init(
    old: Int = Transition.nowhere, new: Int = Transition.nowhere, trace: RowTrace? = nil,
    row: Row? = nil, difference: RowDifference = RowDifference()
  ) {
    self.old = old
    self.new = new
    self.trace = trace
    self.row = row
    self.difference = difference
  }

  /// Returns the same row's passage with other old and new indices.
  func between(old: Int, new: Int) -> Passage {
    Passage(old: old, new: new, trace: trace, row: row, difference: difference)
  }

  /// Returns this passage followed by another that begins where this one ends.
  func followed(by next: Passage) -> Passage {
    Passage(
      old: old, new: next.new, trace: next.trace?.before(difference), row: next.row ?? row,
      difference: difference(after: next))
  }

  private func difference(after next: Passage) -> RowDifference {
    guard let row = next.row, !next.difference.isEmpty else { return difference }
    return difference.isEmpty ? next.difference : difference.followed(by: next.difference, to: row)
  }

  /// Returns this passage out of the list joined with `next` back into it; `nil` if they are no
  /// such pair.
  func returning(by next: Passage) -> Passage? {
    guard let trace, let row = next.row else { return nil }
    return Passage(
      old: old, new: next.new, row: row, difference: RowDifference(from: trace, to: row))
  }
}

extension ChangeSet {
  /// Returns the passages of the rows in this change set: those of removed rows, in the order of
  /// the old list, then all others, in the order of the new list.
  func passages(_ places: Transition.Places) -> (gone: [Passage], present: [Passage]) {
    let edits = edits
    let gone = edits.removals.map { Passage(old: $0.index, trace: $0.trace) }
    var present = edits.insertions.map { Passage(new: $0.index, row: $0.row) }
    var moves = edits.moves[...]
    for update in edits.updates {
      while let move = moves.first, move.new < update.index {
        present.append(Passage(old: move.old, new: move.new))
        moves.removeFirst()
      }
      let isMoved = moves.first?.new == update.index
      let old = isMoved ? moves.removeFirst().old : places.old(ofNew: update.index)
      present.append(
        Passage(old: old, new: update.index, row: update.row, difference: update.difference))
    }
    present += moves.map { Passage(old: $0.old, new: $0.new) }
    return (gone, present.sorted { $0.new < $1.new })
  }
}
