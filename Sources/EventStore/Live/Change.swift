/// What is delivered to who looks at a list: what happened, and what the list is now.
public struct Change: Sendable, Hashable {
  /// What happened since the last delivery.
  public let `set`: ChangeSet
  /// The rows of the window after it; empty where the looker doesn't hold them.
  public let list: RowList
  /// How many rows the whole list has, where that was asked for.
  public var total: Int? { `set`.newTotal }
  /// Whether the window shows other rows of the list since: the position before it counts for
  /// nothing then, even where the rows are the same.
  let movesWindow: Bool

  /// What came of one change and the next, or `nil` where the next took the first back and neither
  /// moved the window.
  package func merging(_ next: Change) -> Change? {
    let merged = self.set.merging(next.set)
    let movesWindow = movesWindow || next.movesWindow
    if merged.isEmpty, !movesWindow { return nil }
    return Change(set: merged, list: next.list, movesWindow: movesWindow)
  }
}
