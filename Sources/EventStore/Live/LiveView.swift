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
  public let changes: LiveChanges<Change>
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
    changes = LiveChanges(mailbox)
  }

  deinit { end() }

  /// Ends the looking; ``changes`` end behind what was delivered.
  public func end() {
    stage.removeLooker(id)
    changes.mailbox.finish()
  }
}
