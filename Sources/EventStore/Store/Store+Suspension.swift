import Synchronization

extension Store {
  /// Commits, and gives back every lock, map and file, until ``resume()``: before the system
  /// suspends the app.
  ///
  /// Live views stay, and are told nothing meanwhile. A second time does nothing.
  public func suspend() async { await stop() }

  /// Opens again what ``suspend()`` gave back, and tells live views what happened meanwhile.
  ///
  /// - Throws: ``StoreError``; it is suspended still.
  public func resume() async throws(StoreError) {
    guard running.withLock({ $0 == nil }) else { return }
    let parts = try await Self.start(path, on: stage, reducer, options)
    running.withLock { $0 = parts }
  }

  /// Commits, puts everything on the medium, and closes the files.
  public func close() async { await stop() }

  private func stop() async {
    guard let running = running.withLock({ $0.take() }) else { return }
    await running.upkeep.stop()
    await running.log.close()
  }
}
