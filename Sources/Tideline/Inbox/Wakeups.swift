import EventStore
import Synchronization

/// The waiters that continue when a store is open again, after it was suspended or something was
/// erased.
final class Wakeups: Sendable {
  private struct State {
    var sleepers: [ObjectIdentifier: Tray<Void>] = [:]
    var isOver = false
  }

  private let state = Mutex(State())

  /// Creates a tray that receives an element each time that the store is open again, until it is
  /// closed for good.
  func make() -> Tray<Void> {
    let mailbox = Tray<Void> { _, _ in () }
    let isOver = state.withLock { state in
      state.sleepers[ObjectIdentifier(mailbox)] = mailbox
      return state.isOver
    }
    if isOver { mailbox.finish() }
    return mailbox
  }

  /// Removes a waiter.
  func remove(_ mailbox: Tray<Void>) {
    state.withLock { $0.sleepers[ObjectIdentifier(mailbox)] = nil }
  }

  /// Wakes all waiters.
  func wake() { state.withLock { Array($0.sleepers.values) }.forEach { $0.put(()) } }

  /// Wakes all waiters for the last time.
  func finish() {
    let sleepers = state.withLock { state in
      state.isOver = true
      return Array(state.sleepers.values)
    }
    sleepers.forEach { $0.finish() }
  }
}

/// A single waiter, registered for as long as it exists.
package final class Wakeup: Sendable {
  let mailbox: Tray<Void>
  private let wakeups: Wakeups

  /// Registers a new waiter.
  package init(of store: InboxStore) {
    wakeups = store.wakeups
    mailbox = wakeups.make()
  }

  /// Wakes the waiter, even though the store was open all the time.
  package func wake() { mailbox.put(()) }

  /// Whether the next `wait()` returns at once.
  package var isDue: Bool { !mailbox.isEmpty }

  /// Waits for the store to be open again, or for `wake()`, since the last call; returns false if
  /// the store was closed for good or the task was cancelled.
  package func wait() async -> Bool { await mailbox.take() != nil }

  deinit { wakeups.remove(mailbox) }
}
