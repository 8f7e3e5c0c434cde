extension ChangeSet {
  /// Traps unless the edits are the canonical ones between some two lists.
  package func checkInvariants() { precondition(isCanonical, "the change set is not canonical") }

  /// Whether two lists of these counts can have these edits, and no fewer, between them.
  var isCanonical: Bool {
    guard case .edits(let edits) = content else { return true }
    let gone = edits.removals.map(\.index) + edits.moves.map(\.old)
    let come = edits.insertions.map(\.index) + edits.moves.map(\.new)
    let left = Set(edits.removals.map { RowName($0.id) })
    let arrived = Set(edits.insertions.map { RowName($0.row.id) })
    guard oldCount >= 0, newCount >= 0, oldCount - gone.count == newCount - come.count,
      (oldTotal == nil) == (newTotal == nil),
      Self.isAscending(edits.removals.map(\.index)),
      Self.isAscending(edits.insertions.map(\.index)), Self.isAscending(edits.moves.map(\.new)),
      Self.isAscending(edits.updates.map(\.index), below: newCount),
      Self.isAscending(gone.sorted(), below: oldCount),
      Self.isAscending(come.sorted(), below: newCount),
      Set(edits.updates.map(\.index)).isDisjoint(with: edits.insertions.map(\.index)),
      left.count == edits.removals.count, arrived.count == edits.insertions.count,
      left.isDisjoint(with: arrived)
    else { return false }
    return transition.moves() == edits.moves
  }

  private static func isAscending(_ indices: [Int], below limit: Int = .max) -> Bool {
    zip(indices, indices.dropFirst()).allSatisfy(<)
      && (indices.first ?? 0) >= 0 && (indices.last ?? -1) < limit
  }
}
