import EventStore
import Synchronization
import Tideline

/// One event after the other, each with what was recorded before in sight.
extension Sync {
  /// Takes events in until there are none any more; anew after the store was suspended.
  static func run(_ sync: () -> Sync?, _ events: AsyncStream<Occurrence>) async {
    guard let wakeup = sync().map({ Wakeup(of: $0.inbox.store) }) else { return }
    await sync()?.getToken(replacing: nil)
    repeat {
      guard var machine = sync()?.begin() else { continue }
      var wake = Wake()
      let view = sync()?.watchOutbox()
      defer { view?.end() }
      for await occurrence in events {
        guard !Task.isCancelled, let self = sync() else { return }
        guard await self.take(occurrence, &machine, &wake) else { break }
      }
      if Task.isCancelled { return }
      sync()?.endWork()
    } while await wakeup.wait()
  }

  /// A machine for the present login, which has everything else to be forgotten.
  private func begin() -> SyncMachine? {
    guard let login = try? inbox.login() else { return nil }
    state.withLock { $0.era += 1 }
    feed.yield(Occurrence(event: .began))
    var random = inbox.store.options.random
    return SyncMachine(login, server.abilities, interval: interval, seed: random.next())
  }

  private func endWork() {
    let old = state.withLock { state in
      defer {
        (state.sleep, state.work, state.follows) = (nil, [:], [:])
        state.uploads = [:]
      }
      return state
    }
    old.endWork()
  }

  /// Has the outbox be looked at when something is to be sent.
  private func watchOutbox() -> LiveView? {
    try? inbox.store.core.live(
      InboxViews.unsent, group: Int64(inbox.account), window: 0..<1, countsExactly: true,
      holdsRows: false
    ) { [weak self] _ in self?.wake() }
  }

  /// Has the outbox be looked at, once for all that was recorded meanwhile.
  private func wake() {
    let isFirst = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if isFirst { feed.yield(Occurrence(event: .recorded)) }
  }

  /// Takes an event in; returns whether that could be done.
  private func take(
    _ occurrence: Occurrence, _ machine: inout SyncMachine, _ wake: inout Wake
  ) async -> Bool {
    let era = state.withLock { $0.era }
    guard occurrence.era == nil || occurrence.era == era else { return true }
    if case .recorded = occurrence.event { state.withLock { $0.isWoken = false } }
    do {
      try await wake.wait(before: occurrence.event)
      let store = inbox.store
      let (actions, status, standing) = try store.core.read { snapshot in
        let actions = try machine.take(occurrence.event, snapshot, at: store.now)
        return (
          actions, try machine.status(snapshot, at: store.now), try machine.standing(snapshot)
        )
      }
      occurrence.answer?.resume(returning: machine.lastAnswer)
      var receipt: Receipt?
      for action in actions {
        receipt = try perform(action, machine.login, behind: receipt) ?? receipt
      }
      if let receipt { wake.add(receipt) }
      if !occurrence.event.isMiddlePage, try await wake.wait() { self.wake() }
      goOnFollowing(behind: occurrence.event)
      tell(status, standing)
      return true
    } catch {
      // The store is suspended or closed, or can't be written: the log knows what is not done.
      return false
    }
  }
}

extension Sync.State {
  /// Ends what is under way.
  func endWork() {
    sleep?.cancel()
    work.values.forEach { $0.cancel() }
    follows.values.forEach { $0.task.cancel() }
  }
}

/// What was recorded and can't be seen yet.
///
/// Whoever decides has to see all that was recorded before; but for what comes of a page that
/// another follows, which depends on the pages before it alone. So one page is read while that
/// before it is being recorded.
struct Wake {
  private var receipts: [Receipt] = []

  mutating func add(_ receipt: Receipt) { receipts.append(receipt) }

  /// Waits as long as an event has to.
  mutating func wait(before event: SyncEvent) async throws {
    if event.isMiddlePage {
      while receipts.count > 1 { try await receipts.removeFirst().visible() }
    } else {
      try await wait()
    }
  }

  /// Waits until all can be seen; returns whether there was something to wait for.
  @discardableResult
  mutating func wait() async throws -> Bool {
    defer { receipts.removeAll() }
    for receipt in receipts { try await receipt.visible() }
    return !receipts.isEmpty
  }
}

extension SyncEvent {
  /// Whether it is a page of a stream behind which there is another.
  fileprivate var isMiddlePage: Bool {
    guard case .answered(let id, .success(let answer)) = self, case .stream = id.purpose else {
      return false
    }
    return !answer.isLast
  }
}
