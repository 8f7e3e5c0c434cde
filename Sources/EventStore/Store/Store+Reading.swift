import LMDB

/// Several lists and counts at one position; lent for the duration of a call.
public struct StoreSnapshot: ~Copyable {
  let workspace: Workspace

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// The position in the log.
  public var position: Position { workspace.position }

  /// The times that records which were shown were taken back.
  package var setbacks: Setbacks { workspace.hub.setbacks }

  /// The views in the store.
  package var views: [ViewDefinition] { workspace.definitions.plans.map(\.definition) }

  /// Returns the number of rows in a list.
  ///
  /// - Complexity: O(log n), and O(1) if the view has no groups.
  /// - Throws: Any failure to read the views.
  /// - Precondition: As ``Store/live(_:window:countsExactly:holdsRows:onChange:)``.
  public func count(of list: ListName) throws -> Int { try ranks(id(of: list)).count }

  /// Returns the rows of a list at the given indices, clamped to the list.
  ///
  /// - Complexity: O(log *n* + rows)
  /// - Throws: Any failure to read the views.
  /// - Precondition: As ``Store/live(_:window:countsExactly:holdsRows:onChange:)``.
  public func rows(of list: ListName, in window: some RangeExpression<Int>) throws -> [Row] {
    try rows(id(of: list), window)
  }

  /// Returns the index of a row in a list, or `nil` if the list doesn't contain it.
  ///
  /// - Complexity: O(log n)
  /// - Throws: Any failure to read the views.
  /// - Precondition: As ``Store/live(_:window:countsExactly:holdsRows:onChange:)``.
  public func index(of id: String, in list: ListName) throws -> Int? {
    try workspace.index(of: id, in: self.id(of: list))
  }

  /// Returns the row with an id, or `nil` if there is none.
  ///
  /// - Complexity: O(log n)
  public func row(_ id: String, in collection: RowCollection) throws -> Row? {
    guard let row = workspace.state.find(id, in: collection) else { return nil }
    return try workspace.row(row.row, on: workspace.state.shelves[Int(row.collection)])
  }

  /// Returns the number of rows in a live view's list; 0 if the live view has ended.
  ///
  /// - Complexity: O(log n)
  /// - Precondition: The live view belongs to this store.
  public func count(of live: LiveView) throws -> Int {
    guard let list = list(live) else { return 0 }
    return try ranks(list).count
  }

  /// Returns the rows at the given indices of a live view's list, inside its window or not; none if
  /// the live view has ended.
  ///
  /// - Complexity: O(log *n* + rows)
  /// - Precondition: The live view belongs to this store.
  public func rows(of live: LiveView, in window: some RangeExpression<Int>) throws -> [Row] {
    guard let list = list(live) else { return [] }
    return try rows(list, window)
  }

  /// Returns the index of a row in a live view's list; `nil` if the list doesn't contain it or the
  /// live view has ended.
  ///
  /// - Complexity: O(log n)
  /// - Precondition: The live view belongs to this store.
  public func index(of id: String, in live: LiveView) throws -> Int? {
    guard let list = list(live) else { return nil }
    return try workspace.index(of: id, in: list)
  }

  /// Returns a live view's list, unless the live view has ended: another may use its id by now.
  private func list(_ live: LiveView) -> ListID? {
    workspace.hub.lookers[live.id]?.list == live.list ? live.list : nil
  }

  func id(of list: ListName) -> ListID { workspace.definitions.id(of: list) }

  func ranks(_ list: ListID) throws -> Range<Int> {
    try workspace.ranks(of: list)
  }

  private func rows(_ list: ListID, _ window: some RangeExpression<Int>) throws -> [Row] {
    let window = ListWindow(window)
    let ranks = try ranks(list)
    return try workspace.rows(of: list, in: window.part(of: ranks), of: ranks)
  }
}

extension Store {
  /// Calls `body` with lists and counts at one position, with exclusive access to the views: keep
  /// it short.
  ///
  /// - Throws: What `body` throws; ``StoreError`` if the store is closed or the views are damaged.
  /// - Precondition: Not called within another `body` or an `onChange`, and `body` neither reads
  ///   the store otherwise nor subscribes to it. It may release live views.
  public func read<R>(_ body: (borrowing StoreSnapshot) throws -> R) throws -> R {
    do {
      return try stage.withPresent { workspace in
        try workspace.requireWhole()
        return try body(StoreSnapshot(workspace))
      }
    } catch is Stage.Absence {
      throw absence
    }
  }

  /// The last record that the views show or, while there are none, showed last.
  ///
  /// - Precondition: As ``read(_:)``.
  package var lastShown: RecordNumber { stage.position?.number ?? .zero }

  /// Same as ``read(_:)``, but if `isLong`, for one of the many calls of a long job, hands the
  /// views to any waiting thread before it returns.
  package func read<R>(
    givingWay isLong: Bool, _ body: (borrowing StoreSnapshot) throws -> R
  ) throws -> R {
    guard isLong else { return try read(body) }
    defer { stage.giveWay() }
    // The first of the calls has not given way yet.
    WorkerThread.yield()
    return try read(body)
  }
}

extension Workspace {
  /// Returns the index of a row in a list, or `nil` if the list doesn't contain it.
  func index(of id: String, in list: ListID) throws -> Int? {
    guard let found = state.find(id, in: shelf(of: list.view).collection) else { return nil }
    return try index(of: found, in: list)
  }

  /// Returns the index of a row in a list over its collection, or `nil` if the list doesn't contain
  /// it.
  func index(of found: RowHandle, in list: ListID) throws -> Int? {
    let (shelf, plan) = (shelf(of: list.view), plan(of: list.view))
    var (groups, keys, key): ([UInt64], KeyBuffer, Range<Int>) = ([], KeyBuffer(), 0..<0)
    try shelf.table.withRow(found.row) { row in
      guard let row, plan.matches(row) else { return }
      plan.appendGroups(of: row, to: &groups)
      key = plan.appendKey(of: row, in: list.group, to: &keys)
    }
    guard groups.contains(list.group) else { return nil }
    let ranks = try ranks(of: list)
    var ties = KeyTies(UInt16(list.view), plan, shelf, NetTable(), keys)
    let place = IndexKey(plan.words(in: keys.bytes(at: key)), row: found.row, token: key)
    return try state.lists.views[list.view].index.rank(of: place, &ties) - ranks.lowerBound
  }
}
