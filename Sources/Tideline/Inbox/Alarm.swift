import EventStore
import Synchronization

/// Tells the log what time it is when something is due, and at no other time: once for all that is
/// due within a second.
final class Alarm: Sendable {
  private struct State {
    var view: LiveView?
    var watch: Task<Void, Never>?
    var sleep: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// How long it waits until it tries again what the log did not take.
  private static let pause = Duration.seconds(10)

  deinit { stop() }

  /// Waits for what is due first, whatever that is at the time.
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

  /// Waits for a moment, and no longer for any other.
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

  /// Waits for nothing any more.
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
  /// How long it is until a moment, and behind it until the last within a second of it at which
  /// something is due; not more than zero where that has come.
  fileprivate func time(untilAllSince due: Timestamp) -> Duration {
    let rest = time(until: due)
    guard rest <= .zero, let last = try? rows({ try $0.lastDue(withinASecondOf: due) }) else {
      return rest
    }
    return time(until: last)
  }

  /// How long it is until a moment; not more than zero where that has come.
  fileprivate func time(until due: Timestamp) -> Duration {
    let (rest, overflows) = due.rawValue.subtractingReportingOverflow(now.rawValue)
    return overflows ? (due > now ? .seconds(Int64.max / 1000) : .zero) : .milliseconds(rest)
  }
}
