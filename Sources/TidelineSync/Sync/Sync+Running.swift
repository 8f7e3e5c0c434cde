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
    let watch = sync()?.watchStore()
    defer { watch?.end() }
    try await sync()?.take(.began, &machine, &wake)
    for await occurrence in events {
      guard !Task.isCancelled, let self = sync() else { return }
      for event in self.events(of: occurrence) { try await self.take(event, &machine, &wake) }
    }
  }

  /// A machine for the present login, which has everything else to be forgotten.
  private func begin() throws -> SyncMachine {
    let login = try inbox.login()
    guard let lease = try inbox.store.tryTakeLease(of: login) else { throw Elsewhere(login: login) }
    let (endWatch, surroundings) = state.withLock { state in
      defer {
        state.endWatch = nil
        if !state.isOver { (state.pause, state.lease, state.isOff) = (nil, lease, false) }
      }
      state.era += 1
      state.surroundings.hasToken = tokens == nil || state.pass.number > 0
      return (state.endWatch, state.surroundings)
    }
    endWatch?()
    var random = inbox.store.options.random
    return SyncMachine(
      login, server.abilities, interval: interval, in: surroundings, seed: random.next())
  }

  /// What happened, as long as it is of the present machine.
  private func events(of occurrence: Occurrence) -> [SyncEvent] {
    state.withLock { state in
      switch occurrence {
      case .hint:
        state.askers.takeIn()
        return state.hints.take()
      case .event(let event, let era): return era == nil || era == state.era ? [event] : []
      }
    }
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

  /// What has the outbox be looked at, and the server be asked.
  private struct Watch {
    var views: [LiveView] = []
    var account: LiveRow?
    var pushes: Task<Void, Never>?

    func end() {
      views.forEach { $0.end() }
      account?.end()
      pushes?.cancel()
    }
  }

  /// Has the outbox be looked at when something is to be sent, and when it is another question what
  /// may be; and the server be asked when a push comes.
  ///
  /// Something is where another is the first, where there are more or fewer, and where something is
  /// put off no more, or held for less time. Whoever looks at all of a long outbox would be shown
  /// all of it where much of it changes.
  private func watchStore() -> Watch {
    let (core, account) = (inbox.store.core, inbox.account)
    var watch = Watch()
    let unsent = try? core.live(
      ListName(InboxViews.unsent, of: account), window: 0..<1, countsExactly: true,
      holdsRows: false
    ) { [weak self] _ in self?.wakeAtOnce() }
    let putOff = try? core.live(
      PutOff.view, group: .number(Int64(account)), window: 0..<OutboxSearch.stepMax,
      countsExactly: true, holdsRows: false
    ) { [weak self] _ in self?.wake() }
    watch.views = [unsent, putOff].compactMap(\.self)
    watch.account = try? core.watch("\(account)", in: Accounts.collection) { [weak self] _ in
      self?.wake()
    }
    watch.pushes = watchPushes()
    return watch
  }

  private func watchPushes() -> Task<Void, Never>? {
    guard let last = try? inbox.store.core.read({ $0.position.number }) else { return nil }
    return Task { [weak self, inbox] in
      var pushes = PushWatch(to: inbox, behind: last)
      while await pushes.next() != nil { self?.note(.push) }
    }
  }

  /// Has the outbox be looked at, where what comes of that is recorded next: with what was to be
  /// sent, so that both wait for the disk together.
  private func wakeAtOnce() {
    if state.withLock({ $0.isReady }) { inbox.store.core.expectMore() }
    wake()
  }

  /// Has the outbox be looked at, once for all that was recorded meanwhile.
  func wake() {
    let isFirst = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if isFirst { feed.yield(.event(.recorded, era: nil)) }
  }

  /// Takes an event in.
  ///
  /// - Throws: Where the store is suspended or closed, or can't be used: the log knows what is not
  ///   done.
  private func take(
    _ event: SyncEvent, _ machine: inout SyncMachine, _ wake: inout Wake
  ) async throws {
    if case .recorded = event { state.withLock { $0.isWoken = false } }
    await wake.wait(before: event)
    // Whatever was lost by then is asked for anew, or is told of once more.
    if case .stored(_?) = event { wake.forgetLosses() }
    let decision = try decide(event, &machine)
    if case .wanted = event { answer(machine) }
    // Whoever sees what is recorded now may want something at once, but for what is to be sent.
    let isSending = decision.actions.contains(where: \.isFull)
    getReady(!isSending && machine.isReady(at: inbox.store.now), decision.actions)
    try await perform(decision.actions, machine.login, &wake)
    // What came meanwhile is taken in first where it needs not to see what comes of this.
    let isShown = event.isByItself ? false : await !wake.wait()
    if !isShown, !event.isMiddlePage { self.wake() }
    goOnFollowing(behind: event)
    tell(decision.status)
    if isShown, !wake.hasLost, let standing = decision.standing { tell(standing) }
  }

  /// Has what is to be sent be expected to follow at once; what was, and does not, no more.
  private func getReady(_ isReady: Bool, _ actions: [SyncAction]) {
    let isWoken = state.withLock { state in
      state.isReady = isReady
      return state.isWoken
    }
    if !isWoken, !actions.contains(where: \.isRecording) { inbox.store.core.expectNothing() }
  }

  /// Answers who wanted a refresh.
  private func answer(_ machine: SyncMachine) {
    let answer = state.withLock { state in
      state.askers.answer(
        Askers.Answer(
          answer: machine.lastAnswer, number: machine.lastNumber, era: state.era))
    }
    answer()
  }

  /// Decides by what the store shows, which is what the log has: not where it is kept no further.
  private func decide(_ event: SyncEvent, _ machine: inout SyncMachine) throws -> Decision {
    let store = inbox.store
    if let failure = store.core.failure { throw failure }
    // It was given back where the store was suspended.
    guard state.withLock({ $0.lease?.isHeld }) == true else {
      throw StoreError.closed(path: store.core.path)
    }
    var decision = Decision()
    try store.core.read { snapshot in
      decision.actions = try machine.begin(event, snapshot, at: store.now)
      try decision.look(at: machine, snapshot, store.now)
    }
    while machine.isDeciding {
      try store.core.read(givingWay: true) { snapshot in
        decision.actions += try machine.goOn(snapshot, at: store.now)
        try decision.look(at: machine, snapshot, store.now)
      }
    }
    return decision
  }

  /// Does one thing after the other.
  ///
  /// Up to where a stream was read is recorded once all that it told before is in the log. Where
  /// that does not get there nothing more is done: it is going to be asked for anew.
  private func perform(
    _ actions: [SyncAction], _ login: Login, _ wake: inout Wake
  ) async throws {
    for action in actions {
      if action.movesOn {
        inbox.store.core.hurry()
        guard await wake.hasPages() else { return }
      }
      let beginning = wake.beginning(of: action)
      guard let receipt = try await perform(action, login, behind: beginning) else { continue }
      wake.add(receipt, of: action)
      watch(receipt)
    }
  }
}

/// What is done, and what may be told once it is.
private struct Decision {
  var actions: [SyncAction] = []
  private(set) var status = SyncStatus()
  /// Not where something is recorded: then it is told once that is seen.
  private(set) var standing: SyncStanding?

  /// Notes how a machine stands that has decided by what a snapshot shows, once it has.
  mutating func look(
    at machine: SyncMachine, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    guard !machine.isDeciding else { return }
    status = try machine.status(snapshot, at: now)
    if !actions.contains(where: \.isRecording) { standing = try machine.standing(snapshot) }
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
