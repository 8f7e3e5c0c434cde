public import EventStore

extension Inbox {
  /// The object of an id as it is, and then each time that what is shown of it changed; `nil` while
  /// there is none that is shown.
  ///
  /// It is told once for each batch at most, and never the same twice after each other; of what
  /// nobody has taken yet only the last is there. A temporary id is told of its object still when
  /// the server has given another. For one reader.
  ///
  /// - Complexity: O(log *n*); each change of the object O(properties), of others O(1).
  /// - Throws: `StoreError`.
  public func watch<Object: Model>(
    _ type: Object.Type, _ id: String
  ) throws(StoreError) -> Updates<Object?> {
    Updates(try Sightings<Object>(of: id, in: self))
  }

  /// What happened to a list since a position that was kept, such as by a widget; `nil` where
  /// nothing did.
  ///
  /// A position of which nothing is known any more, be it of a restored backup or of before a loss
  /// of power, gets a reset: all objects that the window shows.
  ///
  /// - Parameters: As those of ``provider(_:where:sort:window:counts:)``.
  /// - Complexity: O(what was journaled of the view since)
  /// - Throws: ``QueryError/notKept`` where neither the inbox nor the app keeps a view that comes
  ///   to the same, ``QueryError/unplanned(reasons:)`` where none can be kept; `StoreError`.
  public func changes<Object: Model>(
    of query: QueryPlan<Object>, window: Range<Int> = 0..<200, counts: Bool = true,
    since position: Position
  ) throws -> ChangeSet? {
    let list = try query.kept(among: store.views, of: account)
    return try store.core.changes(
      of: list, window: window, countsExactly: counts, since: position)
  }
}

/// What an id finds, time after time.
struct Sightings<Object: Model>: AsyncSequence, Sendable {
  let row: LiveRow

  init(of id: String, in inbox: Inbox) throws(StoreError) {
    row = try inbox.store.core.watch("\(inbox.account)/\(id)", in: Object.collection)
  }

  /// What it found at the beginning.
  var start: Object? { row.start.row.flatMap(Object.init) }

  func makeAsyncIterator() -> Iterator {
    Iterator(row: row, changes: row.changes.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    let row: LiveRow
    var changes: LiveChanges<RowChange>.Iterator
    /// What was told last, once something was.
    var last: Object??

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Object?? {
      guard let last else { return told(row.start.row) }
      while let change = await changes.next(isolation: actor) {
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
