import Synchronization
import Tideline

/// Refreshes on request.
extension Sync {
  /// Requests a manual refresh, and returns before anything has come, such as for a button beside
  /// which ``status`` shows the progress.
  ///
  /// A list that shows a refresh indicator awaits ``refreshed(byHand:)`` instead.
  ///
  /// - Returns: The immediate response. If the task is cancelled first, ``RefreshAnswer/disabled``.
  @discardableResult
  public func refresh() async -> RefreshAnswer { await want(byHand: true).answer }

  /// Requests a refresh and waits until it is over, such as for a list that shows a refresh
  /// indicator.
  ///
  ///     list.refreshable { try? await sync.refreshed() }
  ///
  /// If nothing is asked now, as ``refresh()`` would tell, it does not wait.
  ///
  /// - Parameter isByHand: Whether a person requests it. If not, such as before the completion
  ///   handler of a silent push is called, the refresh isn't throttled and throttles no other.
  /// - Returns: The response. If a refresh began or was joined, everything that the server had is
  ///   shown.
  /// - Throws: `ServerFailure` if the refresh failed; `CancellationError` if it is no longer
  ///   wanted, the task is cancelled, synchronization ends or the store is suspended meanwhile.
  @discardableResult
  public func refreshed(byHand isByHand: Bool = true) async throws -> RefreshAnswer {
    let wanted = await want(byHand: isByHand)
    let isAwaited = wanted.answer == .started || wanted.answer == .joined
    if isAwaited { try await waitForEnd(of: wanted) }
    try Task.checkCancellation()
    return wanted.answer
  }

  private func want(byHand isByHand: Bool) async -> Askers.Answer {
    let id = newID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        let (isIdle, isRunning) = state.withLock { state in
          let isRunning = state.run != nil && !state.isOver
          let isIdle = !isRunning || Task.isCancelled
          if !isIdle { state.askers.ask(id, byHand: isByHand, answer) }
          return (isIdle, isRunning)
        }
        if isIdle { answer.resume(returning: Askers.Answer()) }
        guard isRunning else { return }
        endPause()
        hint { if isByHand { $0.hints.isWanted = true } else { $0.hints.isPushed = true } }
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
        // The refresh may already be over.
        wake()
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) { state.withLock { $0.askers.cancel(id) }() }
}
