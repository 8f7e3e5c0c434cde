import Synchronization

extension Store {
  /// Commits, and gives back every lock, map and file, until ``resume()``: before the system
  /// suspends the app.
  ///
  /// Live views stay, and are told nothing meanwhile. A second time does nothing. What erases ends
  /// with its slice, within ``SlicePace/holdMax`` and a flush, and goes on when the store is opened
  /// next; what makes the views anew, to open it again, is given up. Nothing is left open.
  public func suspend() async { await stop() }

  /// Opens again what ``suspend()`` gave back, and tells live views what happened meanwhile.
  ///
  /// What was being erased when it was suspended is erased first.
  ///
  /// - Throws: ``StoreError``; it is suspended still, unless it is the erasure that failed, which
  ///   is finished when it is opened next.
  public func resume() async throws(StoreError) {
    isWanted.withLock { $0 = true }
    try await turns.take { [self] in await reopen() }.get()
    if isKeeping { try await finishErasure() }
  }

  /// Opens again what was given back, unless it was suspended or closed since; within a turn.
  func reopen() async -> Result<Void, StoreError> {
    guard running.withLock({ $0 == nil }), isWanted.withLock({ $0 }) else { return .success(()) }
    do throws(StoreError) {
      let parts = try await Self.start(path, on: stage, reducer, optionsWhileWanted)
      running.withLock { $0 = parts }
      return .success(())
    } catch {
      return error == .cancelled && isLeft ? .success(()) : .failure(error)
    }
  }

  /// The options, with views being made anew only as long as the store is to be open.
  private var optionsWhileWanted: Options {
    var options = options
    options.progress = { [weak self, progress = options.progress] step in
      self?.isLeft != true && progress(step)
    }
    return options
  }

  /// Commits, puts everything on the medium, and closes the files.
  public func close() async { await stop() }

  private func stop() async {
    isWanted.withLock { $0 = false }
    // A log that takes nothing more takes no further slice either.
    await erased.withLock { $0 }?.close()
    await turns.take { [self] in
      guard let running = running.withLock({ $0.take() }) else { return }
      await running.upkeep.stop()
      await running.log.close()
    }
  }
}
