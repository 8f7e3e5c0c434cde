public import EventStore

extension Inbox {
  /// Returns the operations that the server has not done, in the order in which they were
  /// requested.
  ///
  /// ``watchOperations(window:)`` returns them again whenever they change.
  ///
  /// - Complexity: O(operations of all accounts)
  /// - Throws: `StoreError`.
  public func openOperations() throws -> [OpenOperation] {
    try store.core.read { snapshot in
      let setbacks = snapshot.setbacks.count
      return try snapshot.rows(of: ListName(InboxViews.outbox), in: 0...)
        .filter { $0[Operations.account] == Int64(account) }
        .compactMap { open($0, since: setbacks) }
    }
  }

  /// Returns the operations that the server has not done, like ``openOperations()``, and then again
  /// each time that they visibly change.
  ///
  ///     for await open in try inbox.watchOperations() { outbox.show(open) }
  ///
  /// Delivers at most one list per batch, and never the same list twice in a row. Only the latest
  /// list that has not been consumed is kept.
  ///
  /// Supports a single consumer: a second loop begins with the list that was consumed last, and
  /// ends the first.
  ///
  /// - Parameter window: The indices of the operations to show.
  /// - Complexity: O(operations of all accounts) at the beginning; each change of an operation
  ///   O(log *n* + window).
  /// - Throws: `StoreError`.
  public func watchOperations(
    window: Range<Int> = 0..<200
  ) throws(StoreError) -> Updates<[OpenOperation]> {
    let all = ViewDefinition(
      "open operations", of: Operations.collection,
      where: Operations.account == Int64(account) && Operations.state != .acknowledged,
      orderedBy: InboxViews.inOrder)
    let sightings = try Sightings(operations) { tell throws(StoreError) in
      let view = try store.core.live(all, window: window) { tell($0.list) }
      return (view, view.start.rows)
    }
    return Updates(sightings)
  }

  /// Returns the operations of rows that were just read.
  @Sendable
  private func operations(_ rows: RowList) -> [OpenOperation] {
    let setbacks = try? store.core.read { $0.setbacks.count }
    return rows.compactMap { open($0, since: setbacks) }
  }

  /// Returns the operation of a row, with this inbox attached.
  ///
  /// - Parameter setbacks: The number of the store's setbacks when the row was read, if known.
  func open(_ row: Row, since setbacks: Int?) -> OpenOperation? {
    var operation = OpenOperation(row)
    operation?.origin.note = OpenOperation.Origin(inbox: self, setbacks: setbacks)
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
