import LMDB

/// A live window of a list: delivers each change until it is released.
///
///     let inbox = try store.live(ListName("inbox", group: .text("unread")), window: 0..<50)
///     table.show(inbox.start.rows)
///     for await change in inbox.changes { table.apply(change) }
public final class LiveView: Sendable {
  /// What the window showed when observation began.
  public let start: Content
  /// The changes since then; while one is pending, later changes are merged into it.
  ///
  /// For one reader.
  public let changes: LiveChanges<Change>
  /// The list that the window shows.
  let list: ListID
  /// Its id among all observers.
  let id: UInt64
  private let stage: Stage
  /// The store's folder.
  private let path: String

  /// The content of a window.
  public struct Content: Sendable, Hashable {
    /// The log's position.
    public let position: Position
    /// The rows of the window.
    public let rows: RowList
    /// The number of rows in the whole list, if it was requested.
    public let total: Int?
  }

  init?(
    _ list: ListID, _ groupName: String, _ window: ListWindow, holdsRows: Bool, on stage: Stage,
    path: String, _ onChange: (@Sendable (Change) -> Void)?
  ) throws {
    let slot = Tray<Change> { $0.merging($1) }
    let deliver = onChange ?? { slot.put($0) }
    let added = try stage.with { workspace in
      try workspace.addLooker(list, groupName, window, holdsRows: holdsRows, deliver)
    }
    guard let added else { return nil }
    (id, start) = added
    self.list = list
    (self.stage, self.path) = (stage, path)
    changes = LiveChanges(slot)
  }

  deinit { end() }

  /// Moves the window to other rows of the list, such as more of them.
  ///
  /// The difference is delivered like any change, before this returns: rows in both windows stay,
  /// and the others go and come. If both windows show the same rows, the change set is empty, so
  /// what is shown is always the window's content at the position delivered last. An unchanged
  /// range delivers nothing, and an ended window does nothing.
  ///
  /// - Complexity: O(log *n* + rows that go and come)
  /// - Throws: ``StoreError``: `closed` also while the store is suspended, and the window stays.
  /// - Precondition: It is not called within ``Store/read(_:)`` or an `onChange`.
  public func show(_ window: some RangeExpression<Int>) throws(StoreError) {
    let window = ListWindow(window)
    let shown: Void?
    do {
      shown = try stage.with { try $0.show(window, to: id) }
    } catch {
      throw StoreError(error, path: path)
    }
    if shown == nil { throw .closed(path: path) }
  }

  /// Ends the observation; ``changes`` end after what was delivered.
  public func end() {
    stage.removeLooker(id)
    changes.slot.finish()
  }
}
