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

  /// Ends what is under way, until the store resumes; where it was not suspended, says why, and
  /// tries again after a while.
  private func interrupt(by error: any Error, _ wakeup: Wakeup) {
    endWork()
    if let elsewhere = error as? Elsewhere { wait(for: elsewhere.login, wakeup) }
    let failure = StoreError(error, path: inbox.store.core.path)
    let wanting = state.withLock { state in
      state.pause = wakeup
      defer { state.wanting = [] }
      return state.wanting
    }
    if !(error is IntentError), !(error is Elsewhere), !failure.isClosed {
      pause(because: failure, wakeup)
    }
    wanting.forEach { $0.resume(returning: .disabled) }
  }

  private func pause(because failure: StoreError, _ wakeup: Wakeup) {
    let store = inbox.store
    var random = store.options.random
    let pauses = state.withLock { state in
      state.pauses += 1
      return state.pauses
    }
    let wait = Backoff().wait(behind: pauses, atLeast: nil, draw: random.next())
    let sleep = Task { [sleep = store.options.sleep] in
      if (try? await sleep(wait)) != nil { wakeup.wake() }
    }
    state.withLock { $0.sleep = sleep }
    tell(.storage(failure, until: Date(kept: store.now.advanced(by: wait))))
  }

  /// Waits until nobody else synchronizes a login.
  private func wait(for login: Login, _ wakeup: Wakeup) {
    tell(.elsewhere)
    let endWatch = inbox.store.watchLease(of: login) { wakeup.wake() }
    let isOver = state.withLock { state in
      if !state.isOver { state.endWatch = endWatch }
      return state.isOver
    }
    if isOver { endWatch() }
  }

  private func endWork() {
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
    if case .stored(_?) = occurrence.event { wake.forgetPages() }
    await wake.wait(before: occurrence.event)
    let decision = try decide(occurrence.event, &machine)
    if case .wanted = occurrence.event { answer(machine.lastAnswer) }
    try await perform(decision.actions, machine.login, &wake)
    var isShown = false
    if !occurrence.event.isMiddlePage {
      isShown = await !wake.wait()
      if !isShown { self.wake() }
    }
    goOnFollowing(behind: occurrence.event)
    tell(decision.status, isShown ? decision.standing : nil)
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
    return try store.core.read { snapshot in
      let actions = try machine.take(event, snapshot, at: store.now)
      return (actions, try machine.status(snapshot, at: store.now), try machine.standing(snapshot))
    }
  }

  /// Does one thing after the other.
  ///
  /// Up to where a stream was read is recorded once all that it told before is in the log, and not
  /// where that does not get there.
  private func perform(
    _ actions: [SyncAction], _ login: Login, _ wake: inout Wake
  ) async throws {
    var receipt: Receipt?
    for action in actions {
      if action.movesOn, await !wake.hasPages() { continue }
      guard let next = try await perform(action, login, behind: receipt) else { continue }
      receipt = next
      wake.add(next, isPage: action.isPage)
      watch(next)
    }
  }
}

/// Somebody else synchronizes a login.
private struct Elsewhere: Error { let login: Login }

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

/// What was recorded and can't be seen yet, or may not be in the log.
///
/// Whoever decides has to see all that was recorded before; but for what comes of a page that
/// another follows, which depends on the pages before it alone. So one page is read while that
/// before it is being recorded.
struct Wake {
  private var unseen: [Receipt] = []
  /// What a server told, and may not be in the log.
  private var pages: [Receipt] = []
  private var hasLostPage = false

  /// Of how many pages it is left open whether they are in the log.
  private static let pagesMax = 16

  mutating func add(_ receipt: Receipt, isPage: Bool) {
    unseen.append(receipt)
    if isPage { pages.append(receipt) }
  }

  /// Waits as long as an event has to.
  mutating func wait(before event: SyncEvent) async {
    while pages.count > Self.pagesMax { await takePage() }
    guard event.isMiddlePage else { return _ = await wait() }
    while unseen.count > 1 { try? await unseen.removeFirst().visible() }
  }

  /// Waits until all can be seen that gets into the log; returns whether there was something to
  /// wait for.
  mutating func wait() async -> Bool {
    defer { unseen.removeAll() }
    for receipt in unseen { try? await receipt.visible() }
    return !unseen.isEmpty
  }

  /// Waits until it is known of all pages whether they are in the log; returns whether they are.
  mutating func hasPages() async -> Bool {
    while !pages.isEmpty { await takePage() }
    defer { hasLostPage = false }
    return !hasLostPage
  }

  /// Leaves what did not get into the log to be asked for anew.
  mutating func forgetPages() { (pages, hasLostPage) = ([], false) }

  private mutating func takePage() async {
    if (try? await pages.removeFirst().durable()) == nil { hasLostPage = true }
  }
}

extension SyncAction {
  /// Whether it records what a server told.
  fileprivate var isPage: Bool { if case .take = self { true } else { false } }

  /// Whether it records up to where a stream was read.
  fileprivate var movesOn: Bool {
    if case .take(let delivery, _, _) = self { !delivery.cursors.isEmpty } else { false }
  }
}

extension StoreError {
  /// Whether the store is closed, or suspended.
  fileprivate var isClosed: Bool {
    switch self {
    case .closed, .log(.closed): true
    default: false
    }
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
