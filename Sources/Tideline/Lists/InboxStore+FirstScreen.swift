import EventStore

extension InboxStore {
  /// What the list of a query showed when the app last looked at it: to be shown at once, while
  /// the store is being opened; `nil` where nobody did, or the list was another then.
  ///
  ///     let screen = try InboxStore.firstScreen(at: folder, of: plan, in: account)
  ///
  /// It reads one small file, which is written about a second behind what happens. Of it the
  /// first 50 objects can be had, and how many there were. When somebody logs out the file goes.
  ///
  /// - Parameters:
  ///   - path: The store's folder.
  ///   - query: What the list is of.
  ///   - account: The account, as ``Inbox/account`` has it, or `nil` for all.
  ///   - views: The views that the app declares.
  /// - Throws: ``QueryError/notKept`` where neither the inbox nor the app keeps a view that comes
  ///   to the same, ``QueryError/unplanned(reasons:)`` where none can be kept,
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
