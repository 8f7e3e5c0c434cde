import EventStore

extension InboxStore {
  /// Compacts the log now if that is due, and returns when it is done; for simulations in which
  /// time passes quickly.
  package func tidy() async throws {
    await caretaker.end()
    defer { caretaker.start(for: self) }
    guard let retention = options.retention else { return }
    _ = try await compact(retention) { true }
  }

  /// Compacts the part of the log that retention doesn't keep; returns false if that would gain
  /// nothing.
  ///
  /// - Parameters:
  ///   - retention: The part that stays as it is.
  ///   - mayGoOn: Called between slices, on a thread where it may block.
  /// - Throws: `StoreError`; `CancellationError` if `mayGoOn` returned false.
  func compact(
    _ retention: Retention, while mayGoOn: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    guard core.isKeeping else { return true }
    let (log, now) = (try core.log, now)
    guard let floor = try await onThread({ try log.due(retention, now: now) }).get() else {
      return true
    }
    guard try mayGain(by: floor, in: log) else { return false }
    let source = BaselineSource(of: core, upTo: floor, while: mayGoOn)
    guard try await onThread({ try source.prepare() }).get() else { return false }
    try await core.compact(through: floor) { last in try source.records(after: last) }
    return true
  }

  /// Returns whether anything may be gained, without folding: everything present now was present at
  /// the floor, except what was created since.
  private func mayGain(by floor: RecordNumber, in log: Log) throws -> Bool {
    let collections = ObjectKind.all.map(\.collection) + [Tombstones.collection]
    let things = try core.read { snapshot in
      collections.reduce(0 as UInt64) { $0 + snapshot.rowCount(of: $1) }
    }
    let made = try log.last.rawValue - floor.rawValue
    return BaselineSource.isGain(
      things > made ? things - made : 0, for: log.recordCount(through: floor))
  }
}
