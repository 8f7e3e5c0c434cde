import Synchronization

extension Store {
  /// Commits, and gives back every lock, map and file, until ``resume()``: before the system
  /// suspends the app.
  ///
  /// Live views stay, and are told nothing meanwhile. A second time does nothing. What erases, or
  /// opens it again, comes to its end before this returns, and leaves nothing open.
  public func suspend() async { await stop() }

  /// Opens again what ``suspend()`` gave back, and tells live views what happened meanwhile.
  ///
  /// - Throws: ``StoreError``; it is suspended still.
  public func resume() async throws(StoreError) {
    isWanted.withLock { $0 = true }
    try await turns.take { [self] in await reopen() }.get()
  }

  /// Opens again what was given back, unless it was suspended or closed since; within a turn.
  func reopen() async -> Result<Void, StoreError> {
    guard running.withLock({ $0 == nil }), isWanted.withLock({ $0 }) else { return .success(()) }
    do throws(StoreError) {
      let parts = try await Self.start(path, on: stage, reducer, options)
      running.withLock { $0 = parts }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Commits, puts everything on the medium, and closes the files.
  public func close() async { await stop() }

  private func stop() async {
    isWanted.withLock { $0 = false }
    await turns.take { [self] in
      guard let running = running.withLock({ $0.take() }) else { return }
      await running.upkeep.stop()
      await running.log.close()
    }
  }
}
