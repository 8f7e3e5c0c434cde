import EventStore
import Synchronization

/// Tells the log what time it is when something is due, and at no other time.
final class Alarm: Sendable {
  private struct State {
    var view: LiveView?
    var watch: Task<Void, Never>?
    var sleep: Task<Void, Never>?
  }

  private let state = Mutex(State())

  deinit { stop() }

  /// Waits for what is due first, whatever that is at the time.
  func start(for store: InboxStore) throws(StoreError) {
    stop()
    let view = try store.core.live(InboxViews.timers, window: 0..<1)
    wait(for: view.start.rows.first?[Timers.due], in: store)
    let watch = Task { [weak self, weak store] in
      for await change in view.changes {
        guard let self, let store else { return }
        wait(for: change.list.first?[Timers.due], in: store)
      }
    }
    state.withLock { state in
      state.view = view
      state.watch = watch
    }
  }

  /// Waits for a moment, and no longer for any other.
  private func wait(for due: Timestamp?, in store: InboxStore) {
    let sleep = due.map { due in
      Task { [weak store] in
        guard let options = store?.options, let now = store?.now else { return }
        let duration = Duration.milliseconds(max(due.rawValue - now.rawValue, 0))
        guard (try? await options.sleep(duration)) != nil else { return }
        // Where the log can't be written, the next event or opening finds it due.
        try? await store?.catchUpWithClock(.due)
      }
    }
    let old = state.withLock { state in
      defer { state.sleep = sleep }
      return state.sleep
    }
    old?.cancel()
  }

  func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.sleep?.cancel()
    old.watch?.cancel()
    old.view?.end()
  }
}
