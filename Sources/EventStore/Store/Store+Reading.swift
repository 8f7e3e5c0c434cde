import LMDB

/// Several lists and counts as they are at one position; lent for the time of a call.
public struct StoreSnapshot: ~Copyable {
  let workspace: Workspace
  private let definitions: Definitions

  init(_ workspace: Workspace, _ definitions: Definitions) {
    self.workspace = workspace
    self.definitions = definitions
  }

  /// Where the log stands.
  public var position: Position { workspace.position }

  /// The views that are kept.
  package var views: [ViewDefinition] { definitions.plans.map(\.definition) }

  /// How many rows a list has.
  ///
  /// - Complexity: O(log n), and O(1) where the view has no groups.
  /// - Throws: What reading the views fails with.
  /// - Precondition: As ``Store/live(_:window:countsExactly:holdsRows:onChange:)``.
  public func count(of list: ListName) throws -> Int { try ranks(id(of: list)).count }

  /// The rows of a list at those indices: fewer where it has fewer.
  ///
  /// - Complexity: O(log *n* + rows)
  /// - Throws: What reading the views fails with.
  /// - Precondition: As ``Store/live(_:window:countsExactly:holdsRows:onChange:)``.
  public func rows(of list: ListName, in window: some RangeExpression<Int>) throws -> [Row] {
    try rows(id(of: list), window)
  }

  /// The index of a row in a list, or `nil` where it isn't there.
  ///
  /// - Complexity: O(log n)
  /// - Throws: What reading the views fails with.
  /// - Precondition: As ``Store/live(_:window:countsExactly:holdsRows:onChange:)``.
  public func index(of id: String, in list: ListName) throws -> Int? {
    try workspace.index(of: id, in: self.id(of: list))
  }

  /// The row of an id, or `nil` where there is none.
  ///
  /// - Complexity: O(log n)
  public func row(_ id: String, in collection: RowCollection) throws -> Row? {
    guard let row = workspace.state.find(id, in: collection) else { return nil }
    return try workspace.row(row.row, on: workspace.state.shelves[Int(row.collection)])
  }

  /// How many rows the list has that a live view looks at; none where it ended.
  ///
  /// - Complexity: O(log n)
  /// - Precondition: It is a live view of this store.
  public func count(of live: LiveView) throws -> Int {
    guard let list = list(live) else { return 0 }
    return try ranks(list).count
  }

  /// The rows at those indices of the list that a live view looks at, within its window or not;
  /// none where it ended.
  ///
  /// - Complexity: O(log *n* + rows)
  /// - Precondition: It is a live view of this store.
  public func rows(of live: LiveView, in window: some RangeExpression<Int>) throws -> [Row] {
    guard let list = list(live) else { return [] }
    return try rows(list, window)
  }

  /// The index of a row in the list that a live view looks at, or `nil` where it isn't there, or
  /// the live view ended.
  ///
  /// - Complexity: O(log n)
  /// - Precondition: It is a live view of this store.
  public func index(of id: String, in live: LiveView) throws -> Int? {
    guard let list = list(live) else { return nil }
    return try workspace.index(of: id, in: list)
  }

  /// The list that a live view looks at, unless it ended: then it may be another's by now.
  private func list(_ live: LiveView) -> ListID? {
    workspace.hub.lookers[live.id]?.list == live.list ? live.list : nil
  }

  func id(of list: ListName) -> ListID { definitions.id(of: list) }

  func ranks(_ list: ListID) throws -> Range<Int> {
    try workspace.ranks(of: list)
  }

  private func rows(_ list: ListID, _ window: some RangeExpression<Int>) throws -> [Row] {
    let range = window.relative(to: 0..<Int.max)
    let window = ListWindow(lowerBound: range.lowerBound, upperBound: range.upperBound)
    let ranks = try ranks(list)
    return try workspace.rows(of: list, in: window.part(of: ranks), of: ranks)
  }
}

extension Store {
  /// Calls `body` with lists and counts at one position, with the views to itself: keep it short.
  ///
  /// - Throws: What `body` throws; ``StoreError`` where the store is closed or the views damaged.
  /// - Precondition: It is not called within such a body or an `onChange`; nor is anything else
  ///   that reads the store or looks at it. What was looked at may be let go there.
  public func read<R>(_ body: (borrowing StoreSnapshot) throws -> R) throws -> R {
    let definitions = try parts.definitions
    let result = try stage.with { workspace in
      try workspace.requireWhole()
      return try body(StoreSnapshot(workspace, definitions))
    }
    guard let result else { throw absence }
    return result
  }

  /// As ``read(_:)``; for one of many such calls of a long work whoever waited for the views has
  /// them before it returns.
  package func read<R>(
    givingWay isLong: Bool, _ body: (borrowing StoreSnapshot) throws -> R
  ) throws -> R {
    guard isLong else { return try read(body) }
    defer { stage.giveWay() }
    // Whose turn on the processor ends while he has the views keeps all others waiting until he is
    // back: beside an outbox of 100,000 that drains the longest read took 6.1 ms, and 7.9 without.
    WorkerThread.yield()
    return try read(body)
  }
}

extension Workspace {
  /// The index of a row in a list, or `nil` where it isn't there.
  func index(of id: String, in list: ListID) throws -> Int? {
    guard let found = state.find(id, in: shelf(of: list.view).collection) else { return nil }
    return try index(of: found, in: list)
  }

  /// The index of a row in a list of its collection, or `nil` where it isn't there.
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
