import Synchronization

extension Store {
  /// Commits, and releases every lock, map and file until ``resume()``; call it before the system
  /// suspends the app.
  ///
  /// Live views stay, and receive nothing in the meantime. A second call does nothing. A running
  /// erasure stops after its current slice, within ``SlicePace/holdMax`` and a flush, and continues
  /// when the store is next opened. A rebuild of the views for reopening the store is abandoned.
  /// Nothing stays open.
  public func suspend() async { await stop() }

  /// Reopens what ``suspend()`` released, and reports to live views what changed in the meantime.
  ///
  /// An erasure that the suspension interrupted is finished first.
  ///
  /// - Throws: ``StoreError``. The store stays suspended, unless the erasure failed, which is
  ///   finished when the store is next opened.
  public func resume() async throws(StoreError) {
    isWanted.withLock { $0 = true }
    try await turns.take { [self] in await reopen() }.get()
    if isKeeping { try await finishErasure() }
  }

  /// Reopens a released store, unless it was suspended or closed since; called within a turn.
  ///
  /// - Parameter lease: The lease of the views, if this process still has it.
  func reopen(_ lease: Lease? = nil) async -> Result<Void, StoreError> {
    guard running.withLock({ $0 == nil }), isWanted.withLock({ $0 }) else { return .success(()) }
    do throws(StoreError) {
      let parts = try await Self.start(path, on: stage, reducer, optionsWhileWanted, lease)
      running.withLock { $0 = parts }
      return .success(())
    } catch {
      return error == .cancelled && isLeft ? .success(()) : .failure(error)
    }
  }

  /// The options, extended so that a rebuild continues only while the store is meant to be open.
  private var optionsWhileWanted: Options {
    var options = options
    options.progress = { [weak self, progress = options.progress] step in
      self?.isLeft != true && progress(step)
    }
    return options
  }

  /// Commits, makes everything durable, and closes the files.
  public func close() async { await stop() }

  private func stop() async {
    isWanted.withLock { $0 = false }
    // Closing the log also stops the erasure before its next slice.
    await erased.withLock { $0 }?.close()
    await turns.take { [self] in
      // The store may have been resumed while the erasure came to its stop.
      guard isLeft, let running = running.withLock({ $0.take() }) else { return }
      await running.upkeep.stop()
      await running.log.close()
    }
  }
}
