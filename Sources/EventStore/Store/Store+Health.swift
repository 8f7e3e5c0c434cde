import LMDB
import Synchronization

/// What became of events and views that something was wrong with.
extension Store {
  /// Why the views are not kept any further, where that is so; `nil` as long as all is well.
  ///
  /// The log goes on without them. ``suspend()`` and ``resume()``, or opening the store again,
  /// mends it once there is room on the disk.
  public var failure: StoreError? { running.withLock { $0?.upkeep.failure } }

  /// Why no views are there.
  var absence: StoreError { failure ?? .closed(path: path) }

  /// The events that the reducer could make nothing of, and why, by their numbers: they are left
  /// out, and tried again by the reducer's next version.
  ///
  /// Among them are records that are damaged, and those that stand for one that was lost.
  ///
  /// - Complexity: O(n)
  /// - Throws: ``StoreError``.
  public func refused() throws(StoreError) -> [RefusedEvent] {
    let result: [RefusedEvent]?
    do {
      result = try stage.with { workspace throws(LMDBError) in try workspace.allRefused() }
    } catch {
      throw StoreError(error, path: path)
    }
    guard let result else { throw absence }
    return result
  }

  /// The numbers of events that are left out because reducing them ended the process, twice: they
  /// are among those that were refused.
  ///
  /// - Throws: `closed`.
  public var skipped: [RecordNumber] {
    get throws(StoreError) { try parts.upkeep.skipped }
  }
}

extension Workspace {
  /// All events that were refused, by their numbers.
  func allRefused() throws(LMDBError) -> [RefusedEvent] {
    var all: [RecordNumber: String] = [:]
    if let base {
      try base.reader.read { loan throws(LMDBError) in
        var cursor = try loan.cursor(over: base.file.refused)
        while try cursor.next() {
          let number = RecordNumber(rawValue: cursor.key.nativeInteger)
          guard let event = RefusedEvent(number, cursor.value) else {
            throw LMDBError(.corrupted, "read why record \(number) was refused")
          }
          all[number] = event.reason
        }
      }
    }
    for event in frozenRefused + refused { all[event.number] = event.reason }
    return all.map { RefusedEvent(number: $0.key, reason: $0.value) }
      .sorted { $0.number < $1.number }
  }
}
