import EventStore
import Foundation
import Synchronization
import Tideline

/// One event after the other, each with what was recorded before in sight.
extension Sync {
  /// Takes events in until there are none any more; anew after the store was suspended, or could
  /// not be used.
  static func run(_ sync: () -> Sync?, _ events: AsyncStream<Occurrence>) async {
    guard let wakeup = sync().map({ Wakeup(of: $0.inbox.store) }) else { return }
    await sync()?.getToken(replacing: nil)
    repeat {
      do { try await runOnce(sync, events) } catch { sync()?.interrupt(by: error, wakeup) }
      if Task.isCancelled { break }
    } while await wakeup.wait()
    sync()?.stop()
  }

  /// Takes events in until there are none any more.
  private static func runOnce(
    _ sync: () -> Sync?, _ events: AsyncStream<Occurrence>
  ) async throws {
    guard var machine = try sync()?.begin() else { return }
    var wake = Wake()
    let view = sync()?.watchOutbox()
    defer { view?.end() }
    for await occurrence in events {
      guard !Task.isCancelled, let self = sync() else { return }
      try await self.take(occurrence, &machine, &wake)
    }
  }

  /// A machine for the present login, which has everything else to be forgotten.
  private func begin() throws -> SyncMachine {
    let login = try inbox.login()
    guard let lease = try inbox.store.tryTakeLease(of: login) else { throw Elsewhere(login: login) }
    let endWatch = state.withLock { state in
      defer { (state.pause, state.lease, state.endWatch) = (nil, lease, nil) }
      state.era += 1
      return state.endWatch
    }
    endWatch?()
    feed.yield(Occurrence(event: .began))
    var random = inbox.store.options.random
    return SyncMachine(login, server.abilities, interval: interval, seed: random.next())
  }

  func endWork() {
    let old = state.withLock { state in
      defer {
        (state.sleep, state.work, state.follows) = (nil, [:], [:])
        (state.uploads, state.lease, state.endWatch) = ([:], nil, nil)
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
    ) { [weak self] _ in self?.wakeAtOnce() }
  }

  /// Has the outbox be looked at, where what comes of that is recorded next: with what was to be
  /// sent, so that both wait for the disk together.
  private func wakeAtOnce() {
    if state.withLock({ $0.isReady }) { inbox.store.core.expectMore() }
    wake()
  }

  /// Has the outbox be looked at, once for all that was recorded meanwhile.
  private func wake() {
    let isFirst = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if isFirst { feed.yield(Occurrence(event: .recorded)) }
  }

  /// Takes an event in.
  ///
  /// - Throws: Where the store is suspended or closed, or can't be used: the log knows what is not
  ///   done.
  private func take(
    _ occurrence: Occurrence, _ machine: inout SyncMachine, _ wake: inout Wake
  ) async throws {
    let era = state.withLock { $0.era }
    guard occurrence.era == nil || occurrence.era == era else { return }
    if case .recorded = occurrence.event { state.withLock { $0.isWoken = false } }
    await wake.wait(before: occurrence.event)
    // Whatever was lost by then is asked for anew, or is told of once more.
    if case .stored(_?) = occurrence.event { wake.forgetLosses() }
    let decision = try decide(occurrence.event, &machine)
    if case .wanted = occurrence.event { answer(machine.lastAnswer) }
    state.withLock { $0.isReady = false }
    try await perform(decision.actions, machine.login, &wake)
    getReady(machine.isReady(at: inbox.store.now), decision.actions)
    // What came meanwhile is taken in first where it needs not to see what comes of this.
    let isShown = occurrence.event.isByItself ? false : await !wake.wait()
    if !isShown, !occurrence.event.isMiddlePage { self.wake() }
    goOnFollowing(behind: occurrence.event)
    tell(decision.status, isShown && !wake.hasLost ? decision.standing : nil)
  }

  /// Has what is to be sent be expected to follow at once; what was, and does not, no more.
  private func getReady(_ isReady: Bool, _ actions: [SyncAction]) {
    let isWoken = state.withLock { state in
      state.isReady = isReady
      return state.isWoken
    }
    if !isWoken, !actions.contains(where: \.isRecording) { inbox.store.core.expectNothing() }
  }

  /// Answers who was the first to want a refresh.
  private func answer(_ answer: RefreshAnswer) {
    let first = state.withLock { $0.wanting.isEmpty ? nil : $0.wanting.removeFirst() }
    first?.resume(returning: answer)
  }

  /// What is done, and what may be told once it is.
  private typealias Decision = (
    actions: [SyncAction], status: SyncStatus, standing: SyncStanding
  )

  /// Decides by what the store shows, which is what the log has: not where it is kept no further.
  private func decide(_ event: SyncEvent, _ machine: inout SyncMachine) throws -> Decision {
    let store = inbox.store
    if let failure = store.core.failure { throw failure }
    // It was given back where the store was suspended.
    guard state.withLock({ $0.lease?.isHeld }) == true else {
      throw StoreError.closed(path: store.core.path)
    }
    var actions = try store.core.readGivingWay { snapshot in
      try machine.begin(event, snapshot, at: store.now)
    }
    while machine.isDeciding {
      actions += try store.core.readGivingWay { try machine.goOn($0, at: store.now) }
    }
    return try store.core.read { snapshot in
      (actions, try machine.status(snapshot, at: store.now), try machine.standing(snapshot))
    }
  }

  /// Does one thing after the other.
  ///
  /// Up to where a stream was read is recorded once all that it told before is in the log. Where
  /// that does not get there nothing more is done: it is going to be asked for anew.
  private func perform(
    _ actions: [SyncAction], _ login: Login, _ wake: inout Wake
  ) async throws {
    var receipt: Receipt?
    for action in actions {
      if action.movesOn {
        inbox.store.core.hurry()
        guard await wake.hasPages() else { return }
      }
      guard let next = try await perform(action, login, behind: receipt) else { continue }
      receipt = next
      wake.add(next, isPage: action.isPage)
      watch(next)
    }
  }
}

extension Sync.State {
  /// Ends what is under way.
  func endWork() {
    lease?.release()
    endWatch?()
    sleep?.cancel()
    work.values.forEach { $0.cancel() }
    follows.values.forEach { $0.task.cancel() }
  }
}
