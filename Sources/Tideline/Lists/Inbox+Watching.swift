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
    Updates(try Sightings<Object>(of: id, in: self))
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

/// The object with an id, each time that it changes.
private struct Sightings<Object: Model>: AsyncSequence, Sendable {
  private let row: LiveRow
  private let changes: Tray<RowChange>
  private let latest: Latest<Row?>

  init(of id: String, in inbox: Inbox) throws(StoreError) {
    let latest = Latest<Row?>(nil)
    let changes = Tray<RowChange>(merging: { $0.merging($1) }) { latest.set($0.new) }
    (self.changes, self.latest) = (changes, latest)
    row = try inbox.store.core.watch(
      Object.rowID(of: id, inbox.account), in: Object.collection,
      onChange: { changes.put($0) })
    latest.set(row.start.row)
  }

  func makeAsyncIterator() -> Iterator { Iterator(sightings: self, reader: changes.begin()) }

  struct Iterator: AsyncIteratorProtocol {
    let sightings: Sightings
    /// The number that the reader got when it began.
    let reader: UInt64
    /// The value that this iterator delivered last, once there is one.
    var last: Object??

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Object?? {
      guard let last else { return told(sightings.latest.value) }
      while let change = await sightings.changes.take(by: reader) {
        let object = change.new.flatMap(Object.init)
        if object != last { return told(change.new) }
      }
      return nil
    }

    private mutating func told(_ row: Row?) -> Object?? {
      last = .some(row.flatMap(Object.init))
      return last
    }
  }
}
