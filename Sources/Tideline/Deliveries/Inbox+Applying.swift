import EventStore

extension Inbox {
  /// Applies a server's delivery: in one batch or, if it is very large, in batches of about a
  /// thousand records, with its cursors in the last.
  ///
  /// Anything already known is not recorded again. Objects that a whole delivery lacks are gone, if
  /// the policy says so; but an empty one removes more than a few objects only the second time.
  ///
  /// - Returns: The number of records, not counting those of the response itself.
  /// - Complexity: O(*n* log *m*), and O(m) for a whole delivery.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`; the first part of a very large delivery may
  ///   then have been applied. Applying it again does not record it again.
  @discardableResult
  public func apply(_ delivery: Delivery) async throws -> Int {
    let taken = try await take(delivery, for: login(), durability: .full)
    try await store.core.taken(taken.receipt)
    return taken.count
  }
}

extension InboxStore {
  /// The last record in the log or, while that is closed, the last one that was shown.
  var lastNumber: RecordNumber { (try? core.log.last) ?? core.lastShown }
}
