import LMDB

/// A window of a list that is looked at: told of each change until it is let go.
///
///     let inbox = try store.live("inbox", group: "unread", window: 0..<50)
///     table.show(inbox.start.rows)
///     for await change in inbox.changes { table.apply(change) }
public final class LiveView: Sendable {
  /// What the window showed when the looking began.
  public let start: Content
  /// What happened since, as it is taken: what happens meanwhile is merged.
  ///
  /// For one reader.
  public let changes: Changes
  private let stage: Stage
  private let id: UInt64

  /// What a window shows.
  public struct Content: Sendable, Hashable {
    /// Where the log stood.
    public let position: Position
    /// The rows of the window.
    public let rows: RowList
    /// How many rows the whole list has, where that was asked for.
    public let total: Int?
  }

  init?(
    _ list: ListID, _ groupName: String, _ window: ListWindow, holdsRows: Bool, on stage: Stage,
    _ onChange: (@Sendable (Change) -> Void)?
  ) throws {
    let mailbox = Mailbox<Change> { $0.merging($1) }
    let deliver = onChange ?? { mailbox.put($0) }
    let added = try stage.with { workspace in
      try workspace.addLooker(list, groupName, window, holdsRows: holdsRows, deliver)
    }
    guard let added else { return nil }
    (id, start) = added
    self.stage = stage
    changes = Changes(mailbox)
  }

  deinit { end() }

  /// Ends the looking; ``changes`` end behind what was delivered.
  public func end() {
    stage.removeLooker(id)
    changes.mailbox.finish()
  }

  /// The changes of a live view, each as it is taken.
  public struct Changes: AsyncSequence, Sendable {
    let mailbox: Mailbox<Change>

    init(_ mailbox: Mailbox<Change>) { self.mailbox = mailbox }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
      let mailbox: Mailbox<Change>

      /// What happened since the last, once something has; `nil` where the looking ended, or the
      /// task was cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Never) -> Change? { await mailbox.take() }
    }

    /// Begins with what was not taken yet.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
  }
}

extension Workspace {
  /// Adds who looks at a window; returns what it shows now.
  func addLooker(
    _ list: ListID, _ groupName: String, _ window: ListWindow, holdsRows: Bool,
    _ deliver: @escaping @Sendable (Change) -> Void
  ) throws -> (UInt64, LiveView.Content) {
    let content = try content(of: list, window, holdsRows: holdsRows)
    let looker = Looker(
      list, groupName, window, holdsRows: holdsRows, at: content.position, content.rows, deliver)
    return (hub.insert(looker), content)
  }

  /// What a window shows now.
  func content(
    of list: ListID, _ window: ListWindow, holdsRows: Bool = true
  ) throws -> LiveView.Content {
    try requireWhole()
    let ranks = try state.lists.ranks(list.view, group: list.group)
    var rows: [Row] = []
    if holdsRows { rows = try self.rows(of: list.view, in: window.part(of: ranks)) }
    return LiveView.Content(
      position: position, rows: RowList(rows), total: window.hasTotal ? ranks.count : nil)
  }

  /// The rows of a range of ranks of a view's index.
  func rows(of view: Int, in ranks: Range<Int>) throws -> [Row] {
    var ids: [RowID] = []
    ids.reserveCapacity(ranks.count)
    try state.lists.views[view].index.appendRows(in: ranks, to: &ids)
    let shelf = shelf(of: view)
    return try ids.map { try row($0, on: shelf) }
  }

  /// Delivers to all who look what happened since everything was delivered that had happened then.
  func tellLookers(since delivered: Position, _ log: Log) throws {
    guard delivered != position, !hub.isEmpty else { return }
    let isKnown = try log.holds(delivered)
    for looker in hub.lookers.values {
      let set =
        try isKnown
        ? changes(of: looker.list, looker.window, since: delivered, from: looker.position)
        : reset(of: looker.list, looker.window, since: looker.position)
      if let set { looker.take(set) }
    }
  }

  /// Delivers to all who look what their windows show now, as a reset.
  func resetLookers() throws {
    isStale = false
    try resetLookers { _ in true }
  }

  /// Delivers to who looks at some lists what the windows show now, as a reset.
  func resetLookers(of isConcerned: (ListID) -> Bool) throws {
    for looker in hub.lookers.values where isConcerned(looker.list) {
      let content = try content(of: looker.list, looker.window)
      looker.take(
        ChangeSet(
          from: looker.position, to: position, reset: content.rows, total: content.total))
    }
  }
}

extension ListWindow {
  /// The part of a list's ranks in its view's index that it shows.
  func part(of ranks: Range<Int>) -> Range<Int> {
    let start = min(ranks.lowerBound + min(lowerBound, ranks.count), ranks.upperBound)
    return start..<min(start + count(of: ranks.count), ranks.upperBound)
  }
}
