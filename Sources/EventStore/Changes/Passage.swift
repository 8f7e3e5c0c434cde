/// One row's way from the list at one position to that at a later one.
struct Passage {
  /// Its index in the old list, or nowhere.
  let old: Int
  /// Its index in the new list, or nowhere.
  let new: Int
  /// What it was, where it is removed.
  let trace: RowTrace?
  /// The row, where it is inserted or updated.
  let row: Row?
  /// What changed, where it is updated.
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

  /// The same row's way, where the places before or behind it are others.
  func between(old: Int, new: Int) -> Passage {
    Passage(old: old, new: new, trace: trace, row: row, difference: difference)
  }

  /// This way and then another that begins where it ends.
  func followed(by next: Passage) -> Passage {
    Passage(
      old: old, new: next.new, trace: next.trace?.before(difference), row: next.row ?? row,
      difference: difference(after: next))
  }

  private func difference(after next: Passage) -> RowDifference {
    guard let row = next.row, !next.difference.isEmpty else { return difference }
    return difference.isEmpty ? next.difference : difference.followed(by: next.difference, to: row)
  }

  /// This way out of the list, and then another back into it; or nothing where it is no such pair.
  func returning(by next: Passage) -> Passage? {
    guard let trace, let row = next.row else { return nil }
    return Passage(
      old: old, new: next.new, row: row, difference: RowDifference(from: trace, to: row))
  }
}

extension ChangeSet {
  /// The ways of the rows that have a part in it: first of those removed, in the order of the old
  /// list, then of all others in the order of the new one.
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
