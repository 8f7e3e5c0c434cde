import EventStore
import Foundation
import Synchronization
import Tideline

/// Obstacles to synchronization: the store, or another synchronization.
extension Sync {
  /// Ends all work until the store resumes.
  ///
  /// If the store was not suspended, reports why and tries again after a while.
  func interrupt(by error: any Error, _ wakeup: Wakeup) {
    endWork()
    if let elsewhere = error as? Elsewhere { wait(for: elsewhere.login, wakeup) }
    let isOff = error is IntentError
    let failure = StoreError(error, path: inbox.store.core.path)
    let (endAskers, waiting) = state.withLock { state in
      (state.pause, state.isOff) = (wakeup, isOff)
      // Refreshes requested since the store resumed are decided about by the next machine.
      let endAskers = state.askers.interrupt(isBrief: wakeup.isDue)
      state.hints.isWanted = state.askers.areAsking(byHand: true)
      if state.askers.areAsking(byHand: false) { state.hints.isPushed = true }
      if state.askers.areAsking { feed.yield(.hint) }
      defer { if isOff { state.waiting = [] } }
      return (endAskers, isOff ? state.waiting : [])
    }
    if isOff {
      tell(.disabled)
    } else if !(error is Elsewhere), !failure.isClosed {
      pause(because: failure, wakeup)
    }
    endAskers()
    waiting.forEach { $0.answer.resume(throwing: CancellationError()) }
  }

  private func pause(because failure: StoreError, _ wakeup: Wakeup) {
    let store = inbox.store
    var random = store.options.random
    let pauses = state.withLock { state in
      state.pauses += 1
      return state.pauses
    }
    let wait = Backoff().wait(after: pauses, atLeast: nil, draw: random.next())
    let sleep = Task { [sleep = store.options.sleep] in
      if (try? await sleep(wait)) != nil { wakeup.wake() }
    }
    keep(sleep)
    tell(.storage(failure, until: Date(kept: store.now.advanced(by: wait))))
  }

  /// Ties a sleep to the current work, so that both end together; cancels it if that has ended.
  func keep(_ sleep: Task<Void, Never>?) {
    let old = state.withLock { state -> Task<Void, Never>? in
      guard !state.isOver else { return sleep }
      defer { state.work.sleep = sleep }
      return state.work.sleep
    }
    old?.cancel()
  }

  /// Waits until nobody else synchronizes a login.
  private func wait(for login: Login, _ wakeup: Wakeup) {
    tell(.elsewhere)
    let endWatch = inbox.store.watchLease(of: login) { wakeup.wake() }
    let isOver = state.withLock { state in
      if !state.isOver { state.work.endWatch = endWatch }
      return state.isOver
    }
    if isOver { endWatch() }
  }
}

/// Another synchronization of a login is at work.
struct Elsewhere: Error { let login: Login }

extension StoreError {
  /// Whether the store is closed or suspended.
  var isClosed: Bool {
    switch self {
    case .closed, .log(.closed): true
    default: false
    }
  }
}
