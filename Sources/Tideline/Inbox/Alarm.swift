import EventStore
import Synchronization

/// Records the time in the log when something is due, and only then: once for everything that is
/// due within a second.
final class Alarm: Sendable {
  private struct State {
    var view: LiveView?
    var watch: Task<Void, Never>?
    var sleep: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// The time to wait before a retry, when the log did not accept the record.
  private static let pause = Duration.seconds(10)

  deinit { stop() }

  /// Waits for whichever timer is due first, now and from then on.
  func start(for store: InboxStore) throws(StoreError) {
    stop()
    let view = try store.core.live(ListName(InboxViews.timers), window: 0..<1)
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

  /// Waits for a moment, instead of the previous one.
  private func wait(for due: Timestamp?, in store: InboxStore) {
    let sleep = due.map { due in
      Task { [weak store] in
        while let rest = store?.time(untilAllSince: due) {
          // The clock may have been set back meanwhile.
          if rest <= .zero, (try? await store?.catchUpWithClock(.due)) != nil { return }
          let pause = rest > .zero ? rest : Self.pause
          guard let sleep = store?.options.sleep, (try? await sleep(pause)) != nil else { return }
        }
      }
    }
    let old = state.withLock { state in
      defer { state.sleep = sleep }
      return state.sleep
    }
    old?.cancel()
  }

  /// Stops waiting.
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
    let (rest, overflows) = due.rawValue.subtractingReportingOverflow(now.rawValue)
    return overflows ? (due > now ? .seconds(Int64.max / 1000) : .zero) : .milliseconds(rest)
  }
}
