import EventStore

extension Inbox {
  /// Returns the operations that the server has not done, in the order in which they were
  /// requested.
  ///
  /// The list is not live. A `Sync` reports their number in the `pending` of its `statuses()`; ask
  /// again when that changes, and at the notices ``InboxNotice/uncertain(intent:_:id:answer:)`` and
  /// ``InboxNotice/rejected(intent:_:id:_:answer:)``.
  ///
  /// - Complexity: O(operations of all accounts)
  /// - Throws: `StoreError`.
  public func openOperations() throws -> [OpenOperation] {
    try store.core.read { snapshot in
      try snapshot.rows(of: ListName(InboxViews.outbox), in: 0...)
        .filter { $0[Operations.account] == Int64(account) }
        .compactMap(open)
    }
  }

  /// Returns the operation of a row, with this inbox attached.
  func open(_ row: Row) -> OpenOperation? {
    var operation = OpenOperation(row)
    operation?.inbox.note = self
    return operation
  }

  /// Retries an operation that was deferred or rejected, or whose outcome is unknown; or all
  /// deferred operations, such as when the network is back.
  ///
  /// Without an operation, those deferred because the server asked for a pause keep waiting. If
  /// nothing is to be retried, nothing is recorded.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  public func retry(_ operation: OpenOperation? = nil) async throws {
    let login = try login()
    let open = try openOperations()
    guard let operation else {
      guard open.contains(where: \.isPutOff) else { return }
      try await store.append(BackoffReset { $0.reason = .requested }, login)
      return
    }
    let isStuck = open.contains {
      $0.intent == operation.intent && $0.id == operation.id && $0.isStuck
    }
    guard isStuck else { return }
    try await store.append(
      Retry {
        $0.intent = operation.intent
        $0.item = operation.id
      }, login)
  }
}

extension OpenOperation {
  /// Whether it only waits for a time to pass.
  fileprivate var isPutOff: Bool { state == .deferred && reason != .throttled }

  /// Whether the operation doesn't begin by itself, or not yet.
  fileprivate var isStuck: Bool { [.deferred, .uncertain, .rejected].contains(state) }
}
