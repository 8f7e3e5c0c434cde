/// A delivery to an observer of a list: the changes, and the resulting list.
public struct Change: Sendable, Hashable {
  /// The changes since the last delivery.
  public let `set`: ChangeSet
  /// The rows of the window after the changes; empty if the observer doesn't hold rows.
  public let list: RowList
  /// The number of rows in the whole list, if it was requested.
  public var total: Int? { `set`.newTotal }
  /// Whether the window moved to other rows of the list: the previous position is then void, even
  /// if the rows are the same.
  let movesWindow: Bool

  /// Returns this change merged with the next, or `nil` if the next undoes this one and neither
  /// moved the window.
  package func merging(_ next: Change) -> Change? {
    let merged = self.set.merging(next.set)
    let movesWindow = movesWindow || next.movesWindow
    if merged.isEmpty, !movesWindow { return nil }
    return Change(set: merged, list: next.list, movesWindow: movesWindow)
  }
}
