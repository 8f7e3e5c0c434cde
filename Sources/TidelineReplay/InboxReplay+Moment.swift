public import EventStore
public import Foundation
public import Tideline

extension InboxReplay {
  /// Creates a replay of an open store as it was at a moment: after the last record recorded no
  /// later, by the device's clock, with the store's views.
  ///
  /// For a log, find the record with `Log.find(_:now:)`, which also tells whether the clock was set
  /// back.
  ///
  /// - Complexity: O(records of the log), and as `Replay`.
  /// - Throws: `StoreError`; `cancelled` if `progress` returns `false`.
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
