import EventStore
public import Foundation

// What concerns the accounts of all who are logged in.
extension InboxStore {
  /// A live list of the objects that a predicate finds in the accounts of all who are logged in:
  /// who logs in comes with theirs, and who logs out goes with theirs.
  ///
  ///     let all = try store.provider(
  ///       MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
  ///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
  ///
  /// It is as ``Inbox/provider(_:where:sort:window:counts:)`` gives one of a single account; each
  /// object says whose it is. Only tags that every mailbox has can be named: the ids of others
  /// mean something in their account alone.
  ///
  /// - Complexity: O(log *n* + window) where the app keeps a view that comes to the same, a
  ///   ``DeclaredView`` across accounts, else O(n) once.
  /// - Throws: ``QueryError``, such as ``QueryError/ownTag(id:)``; `StoreError`.
  public func provider<Object: Model>(
    _ type: Object.Type, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = [], window: Range<Int> = 0..<200, counts: Bool = true
  ) throws -> Provider<Object> {
    let plan = try QueryPlan(where: predicate, sort: sort)
    try plan.requireSharedTags()
    return try Provider(plan, window, counts: counts, in: self, of: nil)
  }
}

extension QueryPlan {
  /// Refuses tags that may be others in each account.
  func requireSharedTags() throws(QueryError) {
    let own = condition.labels.subtracting(Tags.shared)
    if let id = own.min() { throw .ownTag(id: id) }
  }
}

extension Condition {
  /// The tags that it names.
  fileprivate var labels: Set<String> {
    switch term {
    case .intersects(Threads.tagIDs.declaration, let tags),
      .intersects(Messages.tagIDs.declaration, let tags):
      Set(tags)
    case .all(let parts), .any(let parts):
      parts.reduce(into: []) { $0.formUnion($1.labels) }
    case .not(let part): part.labels
    default: []
    }
  }
}
