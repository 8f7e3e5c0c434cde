import EventStore

extension Inbox {
  /// What the server has not done, in the order in which it was wanted.
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

  /// The operation of a row, which this inbox says to be open.
  private func open(_ row: Row) -> OpenOperation? {
    var operation = OpenOperation(row)
    operation?.inbox.note = self
    return operation
  }

  /// Has something be tried again that was deferred or rejected, or of which it is not known what
  /// became of it; or all that was deferred, such as when there is a network again.
  ///
  /// Of what is not named, that waits on which the server wants to be left alone. Where there is
  /// nothing to be tried again nothing is recorded.
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
  /// Whether it waits for nothing but a time.
  fileprivate var isPutOff: Bool { state == .deferred && reason != .throttled }

  /// Whether it isn't begun by itself, or not yet.
  fileprivate var isStuck: Bool { [.deferred, .uncertain, .rejected].contains(state) }
}
