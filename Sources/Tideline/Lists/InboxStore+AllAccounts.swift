import EventStore
public import Foundation

// Queries across all logged-in accounts.
extension InboxStore {
  /// Returns a live list of the objects that match a predicate in all logged-in accounts.
  ///
  /// An account's objects appear when it logs in, and disappear when it logs out; the ``Account``
  /// itself stays.
  ///
  ///     let all = try store.provider(
  ///       MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
  ///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
  ///
  /// Works like ``Inbox/provider(_:where:sort:window:counts:)`` does for a single account; each
  /// object says which account it belongs to. The query can only name tags that every mailbox has:
  /// the ids of other tags have a meaning only in their own account.
  ///
  /// - Complexity: O(log *n* + window) if the app maintains an equivalent view, a ``DeclaredView``
  ///   across accounts, else O(n) once.
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
  /// Throws if the plan names tags that may differ between accounts.
  func requireSharedTags() throws(QueryError) {
    let own = condition.labels.subtracting(Tags.shared)
    if let id = own.min() { throw .ownTag(id: id) }
  }
}

extension Condition {
  /// The tags that the condition names.
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
