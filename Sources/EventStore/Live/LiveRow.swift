import LMDB

/// A watched row, whether it exists or not: delivers each change until it is released.
///
///     let open = try store.watch("message 7", in: Message.collection)
///     detail.show(open.start.row)
///     for await change in open.changes { detail.show(change.new) }
///
/// An id that becomes another name of a row shows that row from then on. While the store is
/// suspended nothing is delivered; the changes in between arrive as one when it resumes.
public final class LiveRow: Sendable {
  /// What the id found when watching began.
  public let start: Content
  /// The changes since then; while one is pending, later changes are merged into it.
  ///
  /// For one reader.
  public let changes: LiveChanges<RowChange>
  private let stage: Stage
  private let watcher: UInt64

  /// The result of a lookup.
  public struct Content: Sendable, Hashable {
    /// The log's position.
    public let position: Position
    /// The row, or `nil` if it doesn't exist.
    public let row: Row?
  }

  init?(
    _ id: String, in collection: RowCollection, on stage: Stage,
    _ onChange: (@Sendable (RowChange) -> Void)?
  ) throws {
    let slot = Tray<RowChange> { $0.merging($1) }
    let deliver = onChange ?? { slot.put($0) }
    let added = try stage.with { try $0.addWatcher(id, in: collection, deliver) }
    guard let added else { return nil }
    (watcher, start) = added
    self.stage = stage
    changes = LiveChanges(slot)
  }

  deinit { end() }

  /// Ends the observation; ``changes`` end after what was delivered.
  public func end() {
    stage.removeLooker(watcher)
    changes.slot.finish()
  }
}
