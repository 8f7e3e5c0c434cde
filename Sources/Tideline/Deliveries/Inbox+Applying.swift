import EventStore

extension Inbox {
  /// Takes in what a server has told: all of it together or, of very much, about a thousand records
  /// at a time and its cursors with the last.
  ///
  /// What is known already is not recorded again. What a whole answer has not is gone, where the
  /// policy says so; but an empty one removes more than a few objects only the second time.
  ///
  /// - Returns: How many records it took, besides that of the answer.
  /// - Complexity: O(*n* log *m*), and O(m) for a whole answer.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`; of very much, the first of it may have been
  ///   taken in then. What is told again is not recorded again.
  @discardableResult
  public func apply(_ delivery: Delivery) async throws -> Int {
    let taken = try await take(delivery, for: login(), durability: .full)
    try await store.core.taken(taken.receipt)
    return taken.count
  }
}

extension InboxStore {
  /// The last record that there is.
  var lastNumber: RecordNumber { (try? core.log.last) ?? .zero }
}
