import LMDB
import Synchronization

/// Reports on events that failed and on views that failed.
extension Store {
  /// Why the views are no longer kept; `nil` as long as all is well.
  ///
  /// The log continues without them. Once the disk has room, ``suspend()`` and ``resume()``, or
  /// reopening the store, repairs them.
  public var failure: StoreError? { running.withLock { $0?.upkeep.failure } }

  /// The error to throw when there are no views.
  var absence: StoreError { failure ?? .closed(path: path) }

  /// The events that the reducer refused, and why, ordered by number.
  ///
  /// They are left out of the views, and retried by the reducer's next version. They include
  /// damaged records, and records that stand in for lost ones.
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

  /// The numbers of the events that are left out because reducing them ended the process twice;
  /// they are among the refused ones.
  ///
  /// - Throws: `closed`.
  public var skipped: [RecordNumber] {
    get throws(StoreError) { try parts.upkeep.skipped }
  }
}

extension Workspace {
  /// Returns all refused events, ordered by number.
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
