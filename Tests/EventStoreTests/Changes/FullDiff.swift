import EventStore

/// Computes the change set between two lists straight from its definition, regardless of speed.
enum FullDiff {
  static func changeSet(
    _ old: [Row], _ new: [Row], from: Position, to: Position, oldTotal: Int? = nil,
    newTotal: Int? = nil
  ) -> ChangeSet {
    let oldIndices = Dictionary(
      uniqueKeysWithValues: old.enumerated().map { (Array($1.id.utf8), $0) })
    let newIDs = Set(new.map { Array($0.id.utf8) })
    var edits = ChangeSet.Edits()
    for (index, row) in old.enumerated() where !newIDs.contains(Array(row.id.utf8)) {
      edits.removals.append(ChangeSet.Removal(index: index, trace: RowTrace(row)))
    }
    var survivors: [ChangeSet.Move] = []
    for (index, row) in new.enumerated() {
      guard let oldIndex = oldIndices[Array(row.id.utf8)] else {
        edits.insertions.append(ChangeSet.Insertion(index: index, row: row))
        continue
      }
      survivors.append(ChangeSet.Move(old: oldIndex, new: index))
      if row != old[oldIndex] {
        let difference = RowDifference(from: RowTrace(old[oldIndex]), to: row)
        edits.updates.append(ChangeSet.Update(index: index, row: row, difference: difference))
      }
    }
    let staying = Set(longestIncrease(survivors.map(\.old)))
    edits.moves = survivors.filter { !staying.contains($0.old) }
    return ChangeSet(
      from: from, to: to, oldCount: old.count, newCount: new.count, oldTotal: oldTotal,
      newTotal: newTotal, edits: edits)
  }

  /// Returns the longest ascending subsequence; among equally long ones, the lexicographically
  /// first.
  static func longestIncrease(_ sequence: [Int]) -> [Int] {
    var best: [[Int]] = []
    for first in sequence.reversed() {
      let rest = best.filter { $0[0] > first }.reduce([], better)
      best.append([first] + rest)
    }
    return best.reduce([], better)
  }

  private static func better(_ a: [Int], _ b: [Int]) -> [Int] {
    guard a.count == b.count else { return a.count > b.count ? a : b }
    return b.lexicographicallyPrecedes(a) ? b : a
  }
}
