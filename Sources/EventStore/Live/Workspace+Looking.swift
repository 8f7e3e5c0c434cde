import LMDB

/// Observers of lists, and the content of their windows.
extension Workspace {
  /// Adds an observer of a window; returns the window's current content.
  func addLooker(
    _ list: ListID, _ groupName: String, _ window: ListWindow, holdsRows: Bool,
    _ deliver: @escaping @Sendable (Change) -> Void
  ) throws -> (UInt64, LiveView.Content) {
    let content = try content(of: list, window, holdsRows: holdsRows)
    let looker = Looker(
      list, groupName, window, holdsRows: holdsRows, at: content.position, content.rows, deliver)
    return (hub.insert(looker), content)
  }

  /// Returns the current content of a window.
  func content(
    of list: ListID, _ window: ListWindow, holdsRows: Bool = true
  ) throws -> LiveView.Content {
    try requireWhole()
    let ranks = try ranks(of: list)
    var rows: [Row] = []
    if holdsRows { rows = try self.rows(of: list, in: window.part(of: ranks), of: ranks) }
    return LiveView.Content(
      position: position, rows: RowList(rows), total: window.hasTotal ? ranks.count : nil)
  }

  /// Returns the rows at some of the list's ranks in its view's index.
  func rows(of list: ListID, in part: Range<Int>, of ranks: Range<Int>) throws -> [Row] {
    if let known = rowsAtHand?[list, part.lowerBound - ranks.lowerBound, count: part.count] {
      return known
    }
    let ids = try state.lists.views[list.view].index.rows(in: part)
    let shelf = shelf(of: list.view)
    return try ids.map { try row($0, on: shelf) }
  }

  /// Delivers to all observers what happened since a position up to which all was delivered.
  ///
  /// - Parameter isSame: Whether the delivered content came from the same generation.
  func tellLookers(since delivered: Position, isSame: Bool = false, _ log: Log) throws {
    try seekRows()
    guard !hub.isEmpty else { return }
    let isHeld = try log.holds(delivered)
    for looker in hub.lookers.values {
      let isKnown = isHeld && knows(looker.list, at: delivered.number, ofSame: isSame)
      if isKnown, delivered == position { continue }
      let set =
        try isKnown && looker.list.view < keptCount
        ? changes(of: looker.list, looker.window, since: delivered, from: looker.position)
        : reset(of: looker.list, looker.window, since: looker.position)
      if let set { looker.take(set) }
    }
  }

  /// Delivers the windows' current content to all list observers as a reset, and changes to row
  /// observers.
  func resetLookers() throws {
    try resetLookers { _ in true }
    try seekRows()
    isStale = false
  }

  /// Delivers the current content of some lists' windows to their observers, as a reset.
  func resetLookers(of isConcerned: (ListID) -> Bool) throws {
    for looker in hub.lookers.values where isConcerned(looker.list) {
      let content = try content(of: looker.list, looker.window)
      looker.take(
        ChangeSet(
          from: looker.position, to: position, reset: content.rows, total: content.total))
    }
  }
}

extension ListWindow {
  /// Returns the part of a list's ranks in its view's index that the window shows.
  func part(of ranks: Range<Int>) -> Range<Int> {
    let start = min(ranks.lowerBound + min(lowerBound, ranks.count), ranks.upperBound)
    return start..<min(start + count(of: ranks.count), ranks.upperBound)
  }
}
