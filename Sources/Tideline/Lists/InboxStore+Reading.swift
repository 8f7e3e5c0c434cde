public import EventStore

extension InboxStore {
  /// Calls `body` with lists, counts and objects at one position, whatever happens meanwhile.
  ///
  ///     let (all, unread) = try store.read { snapshot in
  ///       (
  ///         try snapshot.list(of: everything, in: inbox.account).count,
  ///         try snapshot.list(of: unread, in: inbox.account).count
  ///       )
  ///     }
  ///
  /// Everything else waits for it: keep it short, and ask the store for nothing within.
  ///
  /// - Throws: What `body` throws; `StoreError`.
  public func read<R>(_ body: (borrowing StoreSnapshot) throws -> R) throws -> R {
    try core.read(body)
  }
}

extension StoreSnapshot {
  /// The objects that a query finds in an account, or in those of all who are logged in, at the
  /// indices of a window, and how many it finds.
  ///
  /// - Complexity: O(log *n* + window)
  /// - Throws: ``QueryError/notKept`` where neither the inbox nor the app keeps a view that comes
  ///   to the same, ``QueryError/unplanned(reasons:)`` where none can be kept,
  ///   ``QueryError/ownTag(id:)``.
  public func list<Object: Model>(
    of query: QueryPlan<Object>, in account: UInt32? = nil, window: Range<Int> = 0..<200
  ) throws -> (objects: ObjectList<Object>, count: Int) {
    let list = try query.kept(among: views, of: account)
    return (ObjectList(RowList(try rows(of: list, in: window))), try count(of: list))
  }
}

extension QueryPlan {
  /// The kept list that shows just what the plan finds in an account, or in all.
  func kept(among views: [ViewDefinition], of account: UInt32?) throws(QueryError) -> ListName {
    if account == nil { try requireSharedTags() }
    if let list = list(among: views, of: account) { return list }
    throw residue == nil ? .notKept : .unplanned(reasons: reasons)
  }

  /// The kept list that shows just what the plan finds in an account, or in all, if there is one.
  func list(among views: [ViewDefinition], of account: UInt32?) -> ListName? {
    guard residue == nil else { return nil }
    return views.lazy.filter { $0.collection == Object.collection }.compactMap { view in
      view.list(where: condition, orderedBy: order, of: account)
    }.first
  }
}
