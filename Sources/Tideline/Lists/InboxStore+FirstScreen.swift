import EventStore

extension InboxStore {
  /// Returns what a query's list showed when the app last looked at it, to display while the store
  /// is being opened.
  ///
  /// Returns `nil` if the app never looked at the list, or its view was defined differently then.
  ///
  ///     let screen = try InboxStore.firstScreen(at: folder, of: plan, in: account)
  ///
  /// Reads one small file, which is about a second behind. It has the first 50 objects and the
  /// total count. Logging out deletes it.
  ///
  /// - Parameters:
  ///   - path: The store's folder.
  ///   - query: The query of the list.
  ///   - account: The account, as in ``Inbox/account``, or `nil` for all.
  ///   - views: The views that the app declares.
  /// - Throws: ``QueryError/notKept`` if neither the inbox nor the app maintains an equivalent
  ///   view, ``QueryError/unplanned(reasons:)`` if no view can answer the query,
  ///   ``QueryError/ownTag(id:)``.
  public static func firstScreen<Object: Model>(
    at path: String, of query: QueryPlan<Object>, in account: UInt32? = nil,
    views: [DeclaredView] = []
  ) throws(QueryError) -> (objects: ObjectList<Object>, count: Int)? {
    let reducer = InboxReducer(declaring: views)
    let list = try query.kept(among: reducer.views, of: account)
    guard let screen = Store.firstScreen(at: path, reducer: reducer, of: list) else { return nil }
    let rows = screen.rows.filter { Object($0) != nil }
    return (ObjectList(RowList(rows)), screen.total)
  }
}
