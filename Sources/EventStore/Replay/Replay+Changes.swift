extension Replay {
  /// Returns the changes to a window of a list from one record to a later one.
  ///
  /// The result merges all change sets that a subscriber would have received meanwhile; it is `nil`
  /// if nothing changed. The replay ends up at the later record.
  ///
  /// - Complexity: O(changes), plus the way there: see ``advance(to:)``. If the replay is past
  ///   `start` and has not kept changes since then, it starts over.
  /// - Throws: ``StoreError``, as ``init(_:reducer:at:from:progress:)``.
  /// - Precondition: `start` is not after `end`; the list belongs to one of the reducer's views.
  public func changes(
    of list: ListName, window: some RangeExpression<Int>, countsExactly: Bool = false,
    from start: RecordNumber, to end: RecordNumber
  ) throws(StoreError) -> ChangeSet? {
    try changes(
      of: definitions.id(of: list), Store.window(window, countsExactly), from: start, to: end)
  }

  func changes(
    of list: ListID, _ window: ListWindow, from start: RecordNumber, to end: RecordNumber
  ) throws(StoreError) -> ChangeSet? {
    precondition(start <= end, "from \(start) to \(end) is backwards")
    // The replay can't report changes from before its indexes were built.
    if !knows(list, since: start) || workspace.applied.number > end { try advance(to: start) }
    try asking { try rememberViews() }
    try goOn(to: end)
    return try asking {
      let position = Position(
        store: log.store, number: start, chain: try log.chain(at: start))
      return try workspace.changes(of: list, window, since: position)
    }
  }

  private func knows(_ list: ListID, since number: RecordNumber) -> Bool {
    guard !workspace.state.lists.isDeferred else { return false }
    let view = workspace.state.lists.views[list.view]
    let rows = JournalStream.rows(of: definitions.collections[Int(view.collection)].number)
    return [view.stream, rows].allSatisfy { stream in
      workspace.journal.floor(of: stream).map { $0 <= number.rawValue } ?? false
    }
  }
}
