/// The place of a row in a table of several sections, as UIKit's `IndexPath` names it.
public struct RowPath: Sendable, Hashable, Codable {
  /// The section.
  public let section: Int
  /// The row's index in it.
  public let item: Int

  /// The place of a row in a section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// A change set as `UITableView` and `UICollectionView` take it: two batches.
///
/// In the first, all but the reloads are given together, with the data of the new list. A table
/// refuses to reload a row in the batch in which rows come, go or move; so the reloads follow in a
/// second one.
public struct BatchUpdates: Sendable, Hashable {
  /// A row that moves from a place in the old list to one in the new.
  public struct Move: Sendable, Hashable {
    /// The place in the old list.
    public let from: RowPath
    /// The place in the new list.
    public let to: RowPath

    /// A move from one place to another.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// The rows to delete: places in the old list, ascending.
  public let deletions: [RowPath]
  /// The rows to insert: places in the new list, ascending.
  public let insertions: [RowPath]
  /// The rows to move, in the order of the new list.
  public let moves: [Move]
  /// The rows to reload in the second batch: places in the new list, ascending.
  public let reloads: [RowPath]

  /// Both batches.
  public init(deletions: [RowPath], insertions: [RowPath], moves: [Move], reloads: [RowPath]) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.reloads = reloads
  }
}

extension ChangeSet {
  /// The batches that bring a section of a table up to date, or `nil` where its data is to be
  /// reloaded, as the list is replaced.
  ///
  /// - Parameters:
  ///   - section: The section's number in the table.
  ///   - movesArePairs: Whether rows are deleted and inserted in place of being moved.
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
