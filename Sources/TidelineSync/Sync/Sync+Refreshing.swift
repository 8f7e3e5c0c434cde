import Synchronization
import Tideline

/// Refreshes by hand.
extension Sync {
  /// Asks for what is new, by hand: such as by a pull at a list.
  ///
  /// - Returns: What came of that, at once; ``status`` says when it is over, and ``refreshed()``
  ///   waits for that. Where the task is cancelled before it is known it is
  ///   ``RefreshAnswer/disabled``.
  @discardableResult
  public func refresh() async -> RefreshAnswer { await want().answer }

  /// Asks for what is new, by hand, and waits until that is over: such as for a list that is pulled
  /// and shows that it is being refreshed.
  ///
  ///     list.refreshable { try? await sync.refreshed() }
  ///
  /// Where nothing is asked now, as ``refresh()`` would say, it does not wait.
  ///
  /// - Returns: What came of that: where it began or joined one, all is shown that the server had.
  /// - Throws: `ServerFailure` where the refresh failed; `CancellationError` where nobody wants it
  ///   any more, the task is cancelled, synchronization ends, or the store is suspended meanwhile.
  @discardableResult
  public func refreshed() async throws -> RefreshAnswer {
    let wanted = await want()
    let isAwaited = wanted.answer == .started || wanted.answer == .joined
    if isAwaited { try await waitForEnd(of: wanted) }
    try Task.checkCancellation()
    return wanted.answer
  }

  private func want() async -> Askers.Answer {
    let id = newID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        let (isIdle, isRunning) = state.withLock { state in
          let isRunning = state.run != nil && !state.isOver
          let isIdle = !isRunning || state.pause != nil || Task.isCancelled
          if !isIdle { state.askers.ask(id, answer) }
          return (isIdle, isRunning)
        }
        if isIdle { answer.resume(returning: Askers.Answer()) }
        guard isRunning else { return }
        endPause()
        hint { $0.hints.isWanted = true }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func waitForEnd(of wanted: Askers.Answer) async throws {
    let id = newID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let isIdle = state.withLock { state in
          let isIdle = state.isOver || state.era != wanted.era || Task.isCancelled
          if !isIdle { state.askers.wait(id, for: wanted.number, answer) }
          return isIdle
        }
        if isIdle { return answer.resume(throwing: CancellationError()) }
        // It may be over by now.
        wake()
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func newID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  private func cancel(_ id: Int) { state.withLock { $0.askers.cancel(id) }() }
}
