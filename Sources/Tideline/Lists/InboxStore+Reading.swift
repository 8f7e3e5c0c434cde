public import EventStore

extension InboxStore {
  /// Calls `body` with a consistent snapshot of lists, counts and objects at one position.
  ///
  ///     let (all, unread) = try store.read { snapshot in
  ///       (
  ///         try snapshot.list(of: everything, in: inbox.account).count,
  ///         try snapshot.list(of: unread, in: inbox.account).count
  ///       )
  ///     }
  ///
  /// Everything else waits for `body`: keep it short, and don't call the store from within it.
  ///
  /// - Throws: The errors that `body` throws; `StoreError`.
  public func read<R>(_ body: (borrowing StoreSnapshot) throws -> R) throws -> R {
    try core.read(body)
  }
}

extension StoreSnapshot {
  /// Returns the objects in a window of a query's results, and the total number of results.
  ///
  /// The query covers one account, or all logged-in accounts.
  ///
  /// - Complexity: O(log *n* + window)
  /// - Throws: ``QueryError/notKept`` if neither the inbox nor the app maintains an equivalent
  ///   view, ``QueryError/unplanned(reasons:)`` if no view can answer the query,
  ///   ``QueryError/ownTag(id:)``.
  public func list<Object: Model>(
    of query: QueryPlan<Object>, in account: UInt32? = nil, window: Range<Int> = 0..<200
  ) throws -> (objects: ObjectList<Object>, count: Int) {
    let list = try query.kept(among: views, of: account)
    return (ObjectList(RowList(try rows(of: list, in: window))), try count(of: list))
  }
}

extension QueryPlan {
  /// Returns the maintained list that matches the plan exactly, for one account or for all.
  func kept(among views: [ViewDefinition], of account: UInt32?) throws(QueryError) -> ListName {
    if account == nil { try requireSharedTags() }
    if let list = list(among: views, of: account) { return list }
    throw residue == nil ? .notKept : .unplanned(reasons: reasons)
  }

  /// Returns the maintained list that matches the plan exactly, for one account or for all, if any.
  func list(among views: [ViewDefinition], of account: UInt32?) -> ListName? {
    guard residue == nil else { return nil }
    return views.lazy.filter { $0.collection == Object.collection }.compactMap { view in
      view.list(where: condition, orderedBy: order, of: account)
    }.first
  }
}
