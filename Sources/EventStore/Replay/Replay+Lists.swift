extension Replay {
  /// The reducer's views.
  public var viewDefinitions: [ViewDefinition] { definitions.plans.map(\.definition) }

  /// The reducer's collections.
  public var collections: [RowCollection] { definitions.collections }

  /// Returns the number of rows in a list.
  ///
  /// - Complexity: O(log n) if the view was used before.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views.
  public func count(of list: ListName) throws(StoreError) -> Int {
    try asking { try ranks(of: definitions.id(of: list)).count }
  }

  /// Returns the rows of a list at the given indices, or as many of them as it has.
  ///
  /// - Complexity: O(log *n* + rows) if the view was used before.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views.
  public func rows(
    of list: ListName, in window: some RangeExpression<Int>
  ) throws(StoreError) -> [Row] {
    let window = ListWindow(window)
    return try asking {
      let list = definitions.id(of: list)
      let ranks = try ranks(of: list)
      return try workspace.rows(of: list, in: window.part(of: ranks), of: ranks)
    }
  }

  /// Returns the index of a row in a list, or `nil` if the row isn't in it.
  ///
  /// - Complexity: O(log n) if the view was used before.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views.
  public func index(of id: String, in list: ListName) throws(StoreError) -> Int? {
    try asking { try workspace.index(of: id, in: definitions.id(of: list)) }
  }

  /// Returns the row that an id refers to, or `nil` if there is none.
  ///
  /// - Complexity: O(log n)
  /// - Throws: ``StoreError``.
  /// - Precondition: The collection is one of the reducer's.
  public func row(_ id: String, in collection: RowCollection) throws(StoreError) -> Row? {
    try asking { try views.row(id, in: collection) }
  }

  /// Returns the lists that contain the row with an id, in the order of the views.
  ///
  /// - Complexity: O(views + lists that contain it)
  /// - Throws: ``StoreError``.
  /// - Precondition: The collection is one of the reducer's.
  public func lists(of id: String, in collection: RowCollection) throws(StoreError) -> [ListName] {
    guard let row = try row(id, in: collection) else { return [] }
    let plans = definitions.plans.filter { $0.definition.collection == collection }
    return plans.flatMap { $0.lists(of: row) }
  }

  func ranks(of list: ListID) throws -> Range<Int> {
    try workspace.ranks(of: list)
  }

  func asking<R>(_ body: () throws -> R) throws(StoreError) -> R {
    do { return try body() } catch { throw StoreError(error, path: log.path) }
  }
}
