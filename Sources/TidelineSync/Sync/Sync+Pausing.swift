import EventStore
import Foundation
import Synchronization
import Tideline

/// What keeps it from going on: the store, or somebody else who synchronizes.
extension Sync {
  /// Ends what is under way, until the store resumes; where it was not suspended, says why, and
  /// tries again after a while.
  func interrupt(by error: any Error, _ wakeup: Wakeup) {
    endWork()
    if let elsewhere = error as? Elsewhere { wait(for: elsewhere.login, wakeup) }
    let failure = StoreError(error, path: inbox.store.core.path)
    let wanting = state.withLock { state in
      state.pause = wakeup
      defer { state.wanting = [] }
      return state.wanting
    }
    if !(error is IntentError), !(error is Elsewhere), !failure.isClosed {
      pause(because: failure, wakeup)
    }
    wanting.forEach { $0.resume(returning: .disabled) }
  }

  private func pause(because failure: StoreError, _ wakeup: Wakeup) {
    let store = inbox.store
    var random = store.options.random
    let pauses = state.withLock { state in
      state.pauses += 1
      return state.pauses
    }
    let wait = Backoff().wait(behind: pauses, atLeast: nil, draw: random.next())
    let sleep = Task { [sleep = store.options.sleep] in
      if (try? await sleep(wait)) != nil { wakeup.wake() }
    }
    state.withLock { $0.sleep = sleep }
    tell(.storage(failure, until: Date(kept: store.now.advanced(by: wait))))
  }

  /// Waits until nobody else synchronizes a login.
  private func wait(for login: Login, _ wakeup: Wakeup) {
    tell(.elsewhere)
    let endWatch = inbox.store.watchLease(of: login) { wakeup.wake() }
    let isOver = state.withLock { state in
      if !state.isOver { state.endWatch = endWatch }
      return state.isOver
    }
    if isOver { endWatch() }
  }
}

/// Somebody else synchronizes a login.
struct Elsewhere: Error { let login: Login }

extension StoreError {
  /// Whether the store is closed, or suspended.
  fileprivate var isClosed: Bool {
    switch self {
    case .closed, .log(.closed): true
    default: false
    }
  }
}
