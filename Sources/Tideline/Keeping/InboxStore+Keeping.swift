import EventStore

extension InboxStore {
  /// Compacts the log now if that is due, and returns when it is done: for whoever lets a year pass
  /// in a minute.
  package func tidy() async throws {
    await caretaker.end()
    defer { caretaker.start(for: self) }
    guard let retention = options.retention else { return }
    _ = try await compact(retention) { true }
  }

  /// Compacts the log as far as it is not to stay as it is; says whether that would gain nothing.
  ///
  /// - Parameters:
  ///   - retention: What stays as it is.
  ///   - mayGoOn: Is asked between slices, on a thread where it may wait.
  /// - Throws: `StoreError`; `CancellationError` where it was not to go on.
  func compact(
    _ retention: Retention, while mayGoOn: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    guard core.isKeeping else { return true }
    let (log, now) = (try core.log, now)
    guard let floor = try await onThread({ try log.due(retention, now: now) }).get() else {
      return true
    }
    let source = BaselineSource(of: core, upTo: floor, while: mayGoOn)
    guard try await onThread({ try source.prepare() }).get() else { return false }
    try await core.compact(through: floor) { last in try source.records(behind: last) }
    return true
  }
}
