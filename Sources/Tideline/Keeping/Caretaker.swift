import EventStore
import Foundation
import Synchronization

/// Compacts the log in the background when that is due.
///
/// It checks when the store is opened, and again after many records were appended; in between, it
/// neither runs nor waits.
final class Caretaker: Sendable {
  private struct State {
    var work: Task<Void, Never>?
    /// The number of records that were appended since the last check.
    var news = 0
    /// The number of records after which it checks again.
    var newsMin = Caretaker.newsMin
    var isStopped = true
    /// Whether records were appended since the last call of `mayGoOn()`.
    var isDisturbed = false
  }

  private let state = Mutex(State())

  /// The number of appended records between two checks.
  private static let newsMin = 8192
  /// The number of appended records after a check that found nothing to gain.
  private static let newsAfterNothing = 131_072
  /// How long it pauses while others append, in seconds.
  private static let pause = 0.02
  /// The maximum number of pauses before it continues nonetheless.
  private static let pausesMax = 50

  /// Checks now, and from now on after many records were appended.
  func start(for store: InboxStore) {
    state.withLock { $0.isStopped = false }
    look(store)
  }

  /// Counts appended records.
  func note(_ count: Int, in store: InboxStore) {
    let isDue = state.withLock { state in
      state.news += count
      state.isDisturbed = true
      return state.news >= state.newsMin
    }
    if isDue { look(store) }
  }

  /// Cancels the current work, which ends as soon as possible.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.work?.cancel()
    }
  }

  /// Does the same as ``stop()``, and returns once no work is running.
  func end() async {
    stop()
    await state.withLock { $0.work }?.value
  }

  private func look(_ store: InboxStore) {
    guard let retention = store.options.retention, !store.options.core.log.isReadOnly else {
      return
    }
    state.withLock { state in
      guard state.work == nil, !state.isStopped else { return }
      state.news = 0
      state.work = Task(priority: .background) { [weak self, weak store] in
        let gain = try? await store?.compact(retention) { [weak self] in self?.mayGoOn() ?? false }
        self?.end(hasGained: gain ?? true)
      }
    }
  }

  private func end(hasGained: Bool) {
    state.withLock { state in
      state.work = nil
      state.newsMin = hasGained ? Self.newsMin : Self.newsAfterNothing
    }
  }

  /// Returns whether to continue; pauses for a while if others append.
  private func mayGoOn() -> Bool {
    for _ in 0..<Self.pausesMax {
      let (isDisturbed, isStopped) = state.withLock { state in
        defer { state.isDisturbed = false }
        return (state.isDisturbed, state.isStopped)
      }
      if isStopped { return false }
      if !isDisturbed { return true }
      Thread.sleep(forTimeInterval: Self.pause)
    }
    return true
  }
}
