import EventStore
import Synchronization

/// Those who wait for a suspended store to resume.
final class Wakeups: Sendable {
  private struct State {
    var sleepers: [ObjectIdentifier: Tray<Void>] = [:]
    var isOver = false
  }

  private let state = Mutex(State())

  /// What is put once each time that the store resumes, until it is closed.
  func make() -> Tray<Void> {
    let mailbox = Tray<Void> { _, _ in () }
    let isOver = state.withLock { state in
      state.sleepers[ObjectIdentifier(mailbox)] = mailbox
      return state.isOver
    }
    if isOver { mailbox.finish() }
    return mailbox
  }

  /// Lets go of who waits no longer.
  func remove(_ mailbox: Tray<Void>) {
    state.withLock { $0.sleepers[ObjectIdentifier(mailbox)] = nil }
  }

  /// Wakes all.
  func wake() { state.withLock { Array($0.sleepers.values) }.forEach { $0.put(()) } }

  /// Wakes all, for the last time.
  func finish() {
    let sleepers = state.withLock { state in
      state.isOver = true
      return Array(state.sleepers.values)
    }
    sleepers.forEach { $0.finish() }
  }
}

/// One who waits, for as long as he is there.
package final class Wakeup: Sendable {
  let mailbox: Tray<Void>
  private let wakeups: Wakeups

  /// One who waits from now on.
  package init(of store: InboxStore) {
    wakeups = store.wakeups
    mailbox = wakeups.make()
  }

  /// Has the one who waits go on, though the store did not resume.
  package func wake() { mailbox.put(()) }

  /// Waits until the store has resumed since the last time; false where it was closed, or the task
  /// cancelled.
  package func wait() async -> Bool { await mailbox.take() != nil }

  deinit { wakeups.remove(mailbox) }
}
