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
    Updates(try Outbox(of: self, window: window))
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

/// The open operations of an inbox, each time that they change.
private struct Outbox: AsyncSequence, Sendable {
  private let inbox: Inbox
  private let view: LiveView
  private let changes: Tray<Change>
  private let latest: Latest<RowList>

  init(of inbox: Inbox, window: Range<Int>) throws(StoreError) {
    let all = ViewDefinition(
      "open operations", of: Operations.collection,
      where: Operations.account == Int64(inbox.account) && Operations.state != .acknowledged,
      orderedBy: InboxViews.inOrder)
    let latest = Latest(RowList([Row]()))
    let changes = Tray<Change>(merging: { $0.merging($1) }) { latest.set($0.list) }
    (self.inbox, self.changes, self.latest) = (inbox, changes, latest)
    view = try inbox.store.core.live(all, window: window, onChange: { changes.put($0) })
    latest.set(view.start.rows)
  }

  func makeAsyncIterator() -> Iterator { Iterator(outbox: self, reader: changes.begin()) }

  struct Iterator: AsyncIteratorProtocol {
    let outbox: Outbox
    /// The number that the reader got when it began.
    let reader: UInt64
    /// The list that this iterator delivered last, once there is one.
    var last: [OpenOperation]?

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> [OpenOperation]? {
      guard let last else { return told(outbox.latest.value) }
      while let change = await outbox.changes.take(by: reader) {
        let operations = told(change.list)
        if operations != last { return operations }
      }
      return nil
    }

    private mutating func told(_ rows: RowList) -> [OpenOperation] {
      let inbox = outbox.inbox
      let setbacks = try? inbox.store.core.read { $0.setbacks.count }
      let operations = rows.compactMap { inbox.open($0, since: setbacks) }
      last = operations
      return operations
    }
  }
}
