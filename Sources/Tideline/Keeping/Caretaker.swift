import EventStore
import Foundation
import Synchronization

/// Compacts the log when that is due, while nobody needs the store.
///
/// It looks when the store is opened, and again when much has been appended; in between nothing of
/// it runs or waits.
final class Caretaker: Sendable {
  private struct State {
    var work: Task<Void, Never>?
    /// How many records were appended since it looked.
    var news = 0
    /// How many must be, so that it looks again.
    var newsMin = Caretaker.newsMin
    var isStopped = true
    /// Whether records were appended since it was asked whether to go on.
    var isDisturbed = false
  }

  private let state = Mutex(State())

  /// How many records are appended between two looks.
  private static let newsMin = 8192
  /// How many are after a look that found that nothing would be gained.
  private static let newsAfterNothing = 131_072
  /// How long it waits for others to have appended what they append, in seconds.
  private static let pause = 0.02
  /// How often it does so before it goes on nonetheless.
  private static let pausesMax = 50

  /// Looks now, and from now on after much was appended.
  func start(for store: InboxStore) {
    state.withLock { $0.isStopped = false }
    look(store)
  }

  /// Notes that records were appended.
  func note(_ count: Int, in store: InboxStore) {
    let isDue = state.withLock { state in
      state.news += count
      state.isDisturbed = true
      return state.news >= state.newsMin
    }
    if isDue { look(store) }
  }

  /// Gives up what it is at, as soon as that can be.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.work?.cancel()
    }
  }

  /// As ``stop()``, and returns when nothing is going on any more.
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

  /// Whether to go on; where somebody appends it waits for a while.
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
