import EventStore
import Foundation
import Synchronization
import Tideline

/// The event loop: one event after another, each with all earlier records visible.
extension Sync {
  /// Processes events until there are no more; restarts after the store was suspended or unusable.
  static func run(_ sync: () -> Sync?, _ events: AsyncStream<Occurrence>) async {
    guard let wakeup = sync().map({ Wakeup(of: $0.inbox.store) }) else { return }
    repeat {
      do { try await runOnce(sync, events) } catch { sync()?.interrupt(by: error, wakeup) }
      if Task.isCancelled { break }
    } while await wakeup.wait()
    sync()?.stop()
  }

  /// Processes events until there are no more.
  private static func runOnce(
    _ sync: () -> Sync?, _ events: AsyncStream<Occurrence>
  ) async throws {
    guard var machine = try sync()?.begin() else { return }
    var unsettled = UnsettledRecords()
    let watch = sync()?.watchStore()
    defer {
      watch?.end()
      sync()?.state.withLock { $0.handover = machine.handover }
    }
    try await sync()?.begin(&machine, &unsettled)
    for await occurrence in events {
      guard !Task.isCancelled, let self = sync() else { return }
      try await self.take(occurrence, &machine, &unsettled)
    }
  }

  /// Creates a machine for the current login, or for one whose operations are still to be flushed;
  /// it invalidates all earlier events.
  ///
  /// - Returns: `nil` if all is over.
  private func begin() throws -> SyncMachine? {
    let (account, now) = (inbox.account, inbox.store.now)
    let (login, isPresent) = try inbox.store.core.read { snapshot in
      let login = try snapshot.servedLogin(of: account, at: now)
      return (login, login.map { snapshot.isPresent($0) } ?? false)
    }
    guard let login, state.withLock({ $0.serve(login, isPresent: isPresent) }) else {
      throw IntentError.loggedOut
    }
    let lease = try inbox.store.tryTakeLease(of: login) { [weak self] in self?.wake() }
    guard let lease else { throw Elsewhere(login: login) }
    guard let (surroundings, handover) = hold(lease) else { return nil }
    var random = inbox.store.options.random
    var machine = SyncMachine(
      login, server.abilities, interval: interval, in: surroundings, seed: random.next())
    machine.handover = handover
    return machine
  }

  /// Keeps a lease until the work ends, and begins an era; releases it if all is over.
  private func hold(_ lease: Lease) -> (Surroundings, Handover)? {
    let (endWatch, isOver, beginning) = state.withLock { state in
      defer { state.work.endWatch = nil }
      if !state.isOver { (state.pause, state.work.lease, state.isOff) = (nil, lease, false) }
      state.era += 1
      state.surroundings.hasToken = tokens == nil || state.pass.number > 0
      return (state.work.endWatch, state.isOver, (state.surroundings, state.handover))
    }
    endWatch?()
    guard isOver else { return beginning }
    lease.release()
    return nil
  }

  /// Begins synchronization, with what is already known of the surroundings.
  private func begin(
    _ machine: inout SyncMachine, _ unsettled: inout UnsettledRecords
  ) async throws {
    try await take([.began] + events(of: .hint), &machine, &unsettled)
  }

  /// Processes an occurrence.
  private func take(
    _ occurrence: Occurrence, _ machine: inout SyncMachine, _ unsettled: inout UnsettledRecords
  ) async throws {
    try await take(events(of: occurrence), &machine, &unsettled)
  }

  /// Processes events that came together; if that fails, puts the hints among them back for the
  /// next machine.
  private func take(
    _ events: [SyncEvent], _ machine: inout SyncMachine, _ unsettled: inout UnsettledRecords
  ) async throws {
    var events = events[...]
    do {
      while let event = events.first {
        try await take(event, isLast: events.count == 1, &machine, &unsettled)
        events.removeFirst()
      }
    } catch {
      putBack(events)
      throw error
    }
  }

  /// Returns the events for the current machine, if any.
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

  private func putBack(_ events: ArraySlice<SyncEvent>) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.hints.putBack(events)
      feed.yield(.hint)
    }
  }

  func endWork() {
    let old = state.withLock { state in
      defer { state.work = SyncWork() }
      state.board.endWork()
      return state.work
    }
    old.end()
  }

  /// The observers that trigger the outbox and refreshes.
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

  /// Observes the outbox, the account and pushes.
  ///
  /// The outbox is examined when its first operation or its length changes, and when an operation
  /// is no longer put off or is held for less time. Observing all of a long outbox would deliver
  /// all of it whenever much of it changes.
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
    let core = inbox.store.core
    // The number of what is shown and not in the log yet may become a push's.
    guard let shown = try? core.read({ $0.position.number }), let last = try? core.log.last else {
      return nil
    }
    return Task { [weak self, inbox] in
      var pushes = PushWatch(to: inbox, after: min(shown, last))
      while await pushes.next() != nil { self?.note(.push) }
    }
  }

  /// Triggers the outbox; if its records come next, they share a flush with the new intents.
  private func wakeAtOnce() {
    if state.withLock({ $0.isReady }) { inbox.store.core.expectMore() }
    wake()
  }

  /// Triggers the outbox, once for all records made meanwhile.
  func wake() {
    let isFirst = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if isFirst { feed.yield(.event(.recorded, era: nil)) }
  }

  /// Processes an event.
  ///
  /// - Throws: If the store is suspended, closed or unusable; the log then knows what remains to be
  ///   done.
  private func take(
    _ event: SyncEvent, isLast: Bool, _ machine: inout SyncMachine,
    _ unsettled: inout UnsettledRecords
  ) async throws {
    if case .recorded = event { state.withLock { $0.isWoken = false } }
    await unsettled.wait(forAll: machine.needsRecords(for: event))
    // Anything lost until now is asked for or reported again.
    if case .stored(_?) = event { unsettled.forgetLosses() }
    let decision = try decide(event, isLast: isLast, &machine)
    if let isByHand = event.isRequestByHand { answer(machine, byHand: isByHand) }
    // Observers of the new records may act at once; what they want must wait for what is being
    // sent.
    let isSending = decision.actions.contains(where: \.isFull)
    getReady(!isSending && machine.isReady(at: inbox.store.now), decision.actions)
    try await perform(decision.actions, machine.login, &unsettled)
    // Pending events that need not see these records are handled first.
    let isShown = event.isByItself ? false : await !unsettled.wait()
    if !isShown, !event.isMiddlePage { self.wake() }
    goOnFollowing(after: event)
    tell(decision.status)
    if isShown, !unsettled.hasLost, let standing = decision.standing { tell(standing) }
  }

  /// Announces that records of sending will follow new intents at once, or that none will.
  private func getReady(_ isReady: Bool, _ actions: [SyncAction]) {
    let isWoken = state.withLock { state in
      state.isReady = isReady
      return state.isWoken
    }
    if !isWoken, !actions.contains(where: \.isRecording) { inbox.store.core.expectNothing() }
  }

  /// Answers callers that want a refresh.
  private func answer(_ machine: SyncMachine, byHand isByHand: Bool) {
    let answer = state.withLock { state in
      state.askers.answer(
        Askers.Answer(
          answer: machine.lastAnswer, number: machine.lastNumber, era: state.era),
        byHand: isByHand)
    }
    answer()
  }

  /// Decides by what the store shows, which is the state of the log; fails if the store no longer
  /// follows.
  private func decide(
    _ event: SyncEvent, isLast: Bool, _ machine: inout SyncMachine
  ) throws -> Decision {
    let store = inbox.store
    if let failure = store.core.failure { throw failure }
    // The lease was released when the store was suspended.
    guard state.withLock({ $0.work.lease?.isHeld }) == true else {
      throw StoreError.closed(path: store.core.path)
    }
    machine.prepare(event, at: store.now)
    var decision = Decision()
    try store.core.read { snapshot in
      decision.actions = try machine.begin(event, isLast: isLast, snapshot, at: store.now)
      try decision.look(at: machine, snapshot, store.now)
    }
    while machine.isDeciding {
      try store.core.read(givingWay: true) { snapshot in
        decision.actions = try machine.goOn(snapshot, at: store.now)
        try decision.look(at: machine, snapshot, store.now)
      }
    }
    return decision
  }

  /// Performs actions one after another.
  ///
  /// A stream's cursor is recorded only after everything that the stream reported before is in the
  /// log. If that fails, the remaining actions are dropped, since everything will be asked for
  /// again.
  private func perform(
    _ actions: [SyncAction], _ login: Login, _ unsettled: inout UnsettledRecords
  ) async throws {
    for action in actions {
      if action.movesOn {
        inbox.store.core.hurry()
        guard await unsettled.hasPages() else { return }
      }
      let beginning = unsettled.beginning(of: action)
      guard let receipt = try await perform(action, login, after: beginning) else { continue }
      unsettled.add(receipt, of: action)
      watch(receipt)
    }
  }
}

extension Sync.State {
  /// Settles on the first present login that there is; returns whether a login may be served.
  fileprivate mutating func serve(_ login: Login, isPresent: Bool) -> Bool {
    if isPresent, self.login == nil { self.login = login }
    return self.login ?? login == login
  }
}

/// The actions, and what to report afterwards.
private struct Decision {
  var actions: [SyncAction] = []
  private(set) var status = SyncStatus()
  /// `nil` if something is recorded: it is then reported once that is visible.
  private(set) var standing: SyncStanding?

  /// Notes the state of a machine once it has decided by a snapshot.
  mutating func look(
    at machine: SyncMachine, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    guard !machine.isDeciding else { return }
    status = try machine.status(snapshot, at: now)
    guard !actions.contains(where: \.isRecording) else { return }
    standing = try machine.standing(snapshot, at: now)
  }
}
