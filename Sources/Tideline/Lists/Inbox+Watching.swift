public import EventStore

extension Inbox {
  /// Returns the object with an id, and then its new value each time that it visibly changes; `nil`
  /// while no such object is shown.
  ///
  /// Delivers at most one value per batch, and never the same value twice in a row. Only the latest
  /// value that has not been consumed is kept. A temporary id keeps following its object after the
  /// server has assigned another id.
  ///
  /// Supports a single consumer: a second loop begins with the value that was consumed last, and
  /// ends the first.
  ///
  /// - Complexity: O(log *n*); each change of the object O(properties), of others O(1).
  /// - Throws: `StoreError`.
  public func watch<Object: Model>(
    _ type: Object.Type, _ id: String
  ) throws(StoreError) -> Updates<Object?> {
    let rowID = Object.rowID(of: id, account)
    let sightings = try Sightings(Object?.init(seen:)) { tell throws(StoreError) in
      let row = try store.core.watch(rowID, in: Object.collection) { tell($0.new) }
      return (row, row.start.row)
    }
    return Updates(sightings)
  }

  /// Returns the changes to a list since a saved position, such as a widget's; `nil` if there are
  /// none.
  ///
  /// An unknown position, such as one from a restored backup or from before a power loss, yields a
  /// reset: all objects in the window. Rows that were saved with the position may be those of
  /// another window, if another version of the app saved them: apply the changes only if they
  /// `fits(_:)` the rows.
  ///
  /// - Parameters: As those of ``provider(_:where:sort:window:counts:)``.
  /// - Complexity: O(what was journaled of the view since)
  /// - Throws: ``QueryError/notKept`` if neither the inbox nor the app maintains an equivalent
  ///   view, ``QueryError/unplanned(reasons:)`` if no view can answer the query; `StoreError`.
  public func changes<Object: Model>(
    of query: QueryPlan<Object>, window: Range<Int> = 0..<200, counts: Bool = true,
    since position: Position
  ) throws -> ChangeSet? {
    let list = try query.kept(among: store.views, of: account)
    return try store.core.changes(
      of: list, window: window, countsExactly: counts, since: position)
  }
}

extension Optional where Wrapped: Model {
  /// Creates the object of a row, if there is one and it is shown.
  @Sendable
  fileprivate init(seen row: Row?) { self = row.flatMap(Wrapped.init) }
}
