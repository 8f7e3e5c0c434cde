public import EventStore
public import Foundation
public import Tideline

extension InboxReplay {
  /// The inboxes of an open store as they were at a moment: behind the last record that was not
  /// recorded later, by the device's clock, with the views that the store was opened with.
  ///
  /// Of a log find the record by `Log.find(_:now:)`, which also tells whether the clock had been
  /// set back.
  ///
  /// - Complexity: O(records of the log), and as `Replay`.
  /// - Throws: `StoreError`; `cancelled` where `progress` returns `false`.
  public convenience init(
    _ store: InboxStore, at moment: Date, from snapshots: SnapshotFolder? = nil,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    let (log, time) = (try store.core.log, moment.kept)
    let found: FoundPlace
    do throws(LogError) {
      found = try log.find(.moment(time), now: time)
    } catch {
      throw .log(error)
    }
    try self.init(store, at: found.number, from: snapshots, progress: progress)
  }
}
