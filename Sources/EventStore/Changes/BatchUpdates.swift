/// The position of a row in a table with several sections, equivalent to UIKit's `IndexPath`.
public struct RowPath: Sendable, Hashable, Codable {
  /// The section.
  public let section: Int
  /// The row's index in the section.
  public let item: Int

  /// Creates the position of a row in a section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// A change set in the form `UITableView` and `UICollectionView` accept: two batches.
///
/// The first batch contains everything except the reloads and is applied together with the new
/// list's data. A table refuses to reload a row in a batch in which rows are inserted, deleted or
/// moved, so the reloads follow in a second batch.
public struct BatchUpdates: Sendable, Hashable {
  /// A row that moves from a position in the old list to a position in the new list.
  public struct Move: Sendable, Hashable {
    /// The position in the old list.
    public let from: RowPath
    /// The position in the new list.
    public let to: RowPath

    /// Creates a move from one position to another.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// The rows to delete, as positions in the old list, ascending.
  public let deletions: [RowPath]
  /// The rows to insert, as positions in the new list, ascending.
  public let insertions: [RowPath]
  /// The rows to move, in the order of the new list.
  public let moves: [Move]
  /// The rows to reload in the second batch, as positions in the new list, ascending.
  public let reloads: [RowPath]

  /// Creates both batches.
  public init(deletions: [RowPath], insertions: [RowPath], moves: [Move], reloads: [RowPath]) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.reloads = reloads
  }
}

extension ChangeSet {
  /// Returns the batches that update a table section, or `nil` if the list is replaced and the
  /// section's data must be reloaded.
  ///
  /// - Parameters:
  ///   - section: The section's number in the table.
  ///   - movesArePairs: Whether to express each move as a deletion and an insertion.
  public func batchUpdates(
    inSection section: Int = 0, movesArePairs: Bool = false
  ) -> BatchUpdates? {
    guard case .edits(let edits) = content else { return nil }
    let pairs = movesArePairs ? edits.moves : []
    let deletions = edits.removals.map(\.index) + pairs.map(\.old)
    let insertions = edits.insertions.map(\.index) + pairs.map(\.new)
    let path = { (index: Int) in RowPath(section: section, item: index) }
    return BatchUpdates(
      deletions: deletions.sorted().map(path), insertions: insertions.sorted().map(path),
      moves: movesArePairs
        ? [] : edits.moves.map { BatchUpdates.Move(from: path($0.old), to: path($0.new)) },
      reloads: edits.updates.map { path($0.index) })
  }
}
