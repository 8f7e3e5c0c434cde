import EventStore

/// A section of a `UITableView`: the cells that it shows, and its rules for batch updates.
struct TableModel {
  /// The reason why a table raises an exception.
  enum Refusal: Error, Equatable {
    case wrongSection(RowPath)
    case outOfBounds(RowPath)
    case listedTwice(RowPath)
    case movedAndDeleted(RowPath)
    case movedAndInserted(RowPath)
    case wrongCount(before: Int, deleted: Int, inserted: Int, after: Int)
  }

  let section: Int
  private(set) var cells: [Row]

  /// Creates a table that has loaded its rows.
  init(section: Int = 0, rows: [Row]) {
    self.section = section
    cells = rows
  }

  /// Performs both batches, with the new rows in the data source.
  mutating func perform(_ batches: BatchUpdates, rows: [Row]) throws(Refusal) {
    try check(batches, rows: rows)
    let gone = Set((batches.deletions + batches.moves.map(\.from)).map(\.item))
    var arriving: [Int: Row] = [:]
    for path in batches.insertions { arriving[path.item] = rows[path.item] }
    // A cell that moves, or only shifts, is not reloaded.
    for move in batches.moves { arriving[move.to.item] = cells[move.from.item] }
    var staying = cells.indices.filter { !gone.contains($0) }.map { cells[$0] }[...]
    cells = rows.indices.map { arriving[$0] ?? staying.removeFirst() }
    for path in batches.reloads { cells[path.item] = rows[path.item] }
  }

  private func check(_ batches: BatchUpdates, rows: [Row]) throws(Refusal) {
    let (sources, targets) = (batches.moves.map(\.from), batches.moves.map(\.to))
    try check(batches.deletions, below: cells.count)
    try check(sources, below: cells.count)
    try check(batches.insertions, below: rows.count)
    try check(targets, below: rows.count)
    try check(batches.reloads, below: rows.count)
    if let path = batches.deletions.first(where: sources.contains) { throw .movedAndDeleted(path) }
    if let path = batches.insertions.first(where: targets.contains) {
      throw .movedAndInserted(path)
    }
    let (deleted, inserted) = (batches.deletions.count, batches.insertions.count)
    guard cells.count - deleted + inserted == rows.count else {
      throw .wrongCount(
        before: cells.count, deleted: deleted, inserted: inserted, after: rows.count)
    }
  }

  private func check(_ paths: [RowPath], below count: Int) throws(Refusal) {
    var seen: Set<RowPath> = []
    for path in paths {
      guard path.section == section else { throw .wrongSection(path) }
      guard path.item >= 0, path.item < count else { throw .outOfBounds(path) }
      guard seen.insert(path).inserted else { throw .listedTwice(path) }
    }
  }
}
