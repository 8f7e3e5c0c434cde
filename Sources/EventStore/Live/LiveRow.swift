import LMDB

/// A row that is watched by its id, whether there is one or not: told of each change until it is
/// let go.
///
///     let open = try store.watch("message 7", in: Message.collection)
///     detail.show(open.start.row)
///     for await change in open.changes { detail.show(change.new) }
///
/// An id that becomes another name of a row shows that row from then on. While the store is
/// suspended nothing is told; what happened meanwhile is told as one change when it resumes.
public final class LiveRow: Sendable {
  /// What the id found when the watching began.
  public let start: Content
  /// What happened since, as it is taken: what happens meanwhile is merged.
  ///
  /// For one reader.
  public let changes: LiveChanges<RowChange>
  private let stage: Stage
  private let watcher: UInt64

  /// What an id finds.
  public struct Content: Sendable, Hashable {
    /// Where the log stood.
    public let position: Position
    /// The row; `nil` where there is none.
    public let row: Row?
  }

  init?(
    _ id: String, in collection: RowCollection, on stage: Stage,
    _ onChange: (@Sendable (RowChange) -> Void)?
  ) throws {
    let mailbox = Tray<RowChange> { $0.merging($1) }
    let deliver = onChange ?? { mailbox.put($0) }
    let added = try stage.with { try $0.addWatcher(id, in: collection, deliver) }
    guard let added else { return nil }
    (watcher, start) = added
    self.stage = stage
    changes = LiveChanges(mailbox)
  }

  deinit { end() }

  /// Ends the watching; ``changes`` end behind what was delivered.
  public func end() {
    stage.removeLooker(watcher)
    changes.mailbox.finish()
  }
}
