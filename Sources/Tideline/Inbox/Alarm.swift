import EventStore
import Synchronization

/// Records the time in the log when something is due, and only then: once for everything that is
/// due within a second.
final class Alarm: Sendable {
  private struct State {
    /// The view of the first timer, unless the alarm is stopped.
    var view: LiveView?
    var watch: Task<Void, Never>?
    /// The moment that is waited for.
    var due: Timestamp?
    var sleep: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// The time to wait before a retry, when the log did not accept the record.
  private static let pause = Duration.seconds(10)

  deinit { stop() }

  /// Waits for whichever timer is due first, now and from then on.
  func start(for store: InboxStore) throws(StoreError) {
    let view = try store.core.live(ListName(InboxViews.timers), window: 0..<1)
    replace { State(view: view, watch: watch(view, in: store)) }
  }

  /// Stops waiting.
  func stop() { replace { State() } }

  /// Ends what goes on, and begins something else, in one step.
  private func replace(by begin: () -> State) {
    let old = state.withLock { state in
      defer { state = begin() }
      return state
    }
    old.sleep?.cancel()
    old.watch?.cancel()
    old.view?.end()
  }

  /// Waits for the first timer of a view, and for each that takes its place.
  private func watch(_ view: LiveView, in store: InboxStore) -> Task<Void, Never> {
    Task { [weak self, weak store] in
      if let store { self?.wait(for: view.start.rows.first?[Timers.due], of: view, in: store) }
      for await change in view.changes {
        guard let self, let store else { return }
        wait(for: change.list.first?[Timers.due], of: view, in: store)
      }
    }
  }

  /// Waits for a moment instead of the previous one, unless the view is no longer watched.
  private func wait(for due: Timestamp?, of view: LiveView, in store: InboxStore) {
    sleep(in: store) { state in
      if state.view === view { state.due = due }
    }
  }

  /// Waits for the same moment as before, if any, because the time until then has changed.
  func clockWasSet(in store: InboxStore) { sleep(in: store) { _ in } }

  /// Sleeps until the moment that is waited for after a change.
  private func sleep(in store: InboxStore, after change: (inout State) -> Void) {
    let old = state.withLock { state in
      change(&state)
      defer { state.sleep = state.due.map { sleep(until: $0, in: store) } }
      return state.sleep
    }
    old?.cancel()
  }

  private func sleep(until due: Timestamp, in store: InboxStore) -> Task<Void, Never> {
    Task { [weak store] in
      while let rest = store?.time(untilAllSince: due) {
        // The clock may have been set back meanwhile.
        if rest <= .zero, (try? await store?.catchUpWithClock(.due)) != nil { return }
        let pause = rest > .zero ? rest : Self.pause
        guard let sleep = store?.options.sleep, (try? await sleep(pause)) != nil else { return }
      }
    }
  }
}

extension InboxStore {
  /// Returns the time until a moment or, once that has passed, until the last timer that is due
  /// within a second of it; zero or less once both have passed.
  fileprivate func time(untilAllSince due: Timestamp) -> Duration {
    let rest = time(until: due)
    guard rest <= .zero, let last = try? rows({ try $0.lastDue(withinASecondOf: due) }) else {
      return rest
    }
    return time(until: last)
  }

  /// Returns the time until a moment; zero or less once it has passed.
  fileprivate func time(until due: Timestamp) -> Duration {
    .milliseconds(due.milliseconds(since: now))
  }
}
