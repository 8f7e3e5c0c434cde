import LMDB

/// A window of a list that is looked at: told of each change until it is let go.
///
///     let inbox = try store.live(ListName("inbox", group: .text("unread")), window: 0..<50)
///     table.show(inbox.start.rows)
///     for await change in inbox.changes { table.apply(change) }
public final class LiveView: Sendable {
  /// What the window showed when the looking began.
  public let start: Content
  /// What happened since, as it is taken: what happens meanwhile is merged.
  ///
  /// For one reader.
  public let changes: LiveChanges<Change>
  /// Which list it is.
  let list: ListID
  /// What it is known by among all who look.
  let id: UInt64
  private let stage: Stage
  /// The store's folder.
  private let path: String

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
    path: String, _ onChange: (@Sendable (Change) -> Void)?
  ) throws {
    let mailbox = Tray<Change> { $0.merging($1) }
    let deliver = onChange ?? { mailbox.put($0) }
    let added = try stage.with { workspace in
      try workspace.addLooker(list, groupName, window, holdsRows: holdsRows, deliver)
    }
    guard let added else { return nil }
    (id, start) = added
    self.list = list
    (self.stage, self.path) = (stage, path)
    changes = LiveChanges(mailbox)
  }

  deinit { end() }

  /// Has the window show other rows of the list from now on, such as more of them.
  ///
  /// The difference is told as any change is, before this returns: rows that are in both windows
  /// stay, the others go and come. Where both show the same it is an empty change set: so what is
  /// shown is always what the window shows at the position that was told last. Nothing is told of a
  /// window that is the same, and nothing happens where it ended.
  ///
  /// - Complexity: O(log *n* + rows that go and come)
  /// - Throws: ``StoreError``: `closed` also while the store is suspended, and the window stays.
  /// - Precondition: It is not called within ``Store/read(_:)`` or an `onChange`.
  public func show(_ window: some RangeExpression<Int>) throws(StoreError) {
    let range = window.relative(to: 0..<Int.max)
    let shown: Void?
    do {
      shown = try stage.with { try $0.show(range, to: id) }
    } catch {
      throw StoreError(error, path: path)
    }
    if shown == nil { throw .closed(path: path) }
  }

  /// Ends the looking; ``changes`` end behind what was delivered.
  public func end() {
    stage.removeLooker(id)
    changes.mailbox.finish()
  }
}
