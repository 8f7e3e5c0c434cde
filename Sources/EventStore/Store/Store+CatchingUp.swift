import LMDB

extension Store {
  /// What happened to a window of a list since a position; `nil` where nothing did.
  ///
  /// A position that the log doesn't hold, from a restored backup or of another store, one that
  /// lies further back than the journal reaches, and one at which the view was made anew, by
  /// another reducer or without what was erased since, get a reset.
  ///
  /// - Complexity: O(what was journaled of the view since)
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
