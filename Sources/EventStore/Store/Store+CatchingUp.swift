import LMDB

extension Store {
  /// Returns the changes to a window of a list since a position; `nil` if there are none.
  ///
  /// The result is a reset if the log doesn't hold the position, as for one from a restored backup
  /// or another store; if the position is older than the journal; and if the view was rebuilt
  /// since, by another reducer or without erased data.
  ///
  /// - Complexity: O(the view's journal entries since)
  /// - Throws: ``StoreError``.
  /// - Precondition: As ``live(_:window:countsExactly:holdsRows:onChange:)``.
  public func changes(
    of list: ListName, window: some RangeExpression<Int>, countsExactly: Bool = false,
    since position: Position
  ) throws(StoreError) -> ChangeSet? {
    let list = try parts.definitions.id(of: list)
    return try changes(of: list, Self.window(window, countsExactly), since: position)
  }

  private func changes(
    of list: ListID, _ window: ListWindow, since start: Position
  ) throws(StoreError) -> ChangeSet? {
    let parts = try parts
    do {
      let set = try stage.with { workspace -> ChangeSet? in
        let isHeld = try start == workspace.position || parts.log.holds(start)
        guard isHeld, workspace.knows(list, at: start.number) else {
          return try workspace.reset(of: list, window, since: start)
        }
        return try workspace.changes(of: list, window, since: start)
      }
      guard let set else { throw absence }
      return set
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
