package import EventStore
import Tideline

/// Decides all actions of synchronization for one login: events in, actions out.
///
/// It uses no clock, network or disk, and reads the past from a snapshot. After a crash, a new
/// machine therefore continues from the state in the log.
package struct SyncMachine {
  package let login: Login
  package let abilities: ServerAbilities
  var session = SessionPlan()
  var refresh = RefreshPlan()
  var pulls: [PullPlan]
  var follows: [FollowPlan]
  var outbox = OutboxPlan()
  var reading = ReadingPlan()
  var backoff = Backoff()
  var questions = QuestionPlan()
  /// The places of the streams that are kept up; `nil` until determined.
  var places: Set<Int>?
  /// The number of the store's setbacks that it knows of.
  var setbacks = 0
  /// The reason for a refresh that begins once the events in hand are handled.
  var beginning: RefreshTrigger?
  /// The response to the last manual refresh.
  package private(set) var lastAnswer = RefreshAnswer.disabled
  /// The number of the refresh that began, or will begin, in response.
  package var lastNumber: Int { refresh.begun + (lastAnswer == .joined ? 1 : 0) }
  /// The result to be handled next, if ``prepare(_:at:)`` has looked at it.
  var prepared: Prepared?
  private var draws: UInt64
  /// The next actions, in order.
  var actions: [SyncAction] = []

  /// Creates a machine for a login at a server.
  ///
  /// - Parameters:
  ///   - login: The login under which everything is asked and sent.
  ///   - abilities: The server's abilities.
  ///   - interval: The interval between refreshes in the foreground.
  ///   - surroundings: What is known about the app's environment.
  ///   - seed: The seed of random waits.
  package init(
    _ login: Login, _ abilities: ServerAbilities, interval: Duration? = nil,
    in surroundings: Surroundings = Surroundings(), seed: UInt64
  ) {
    let abilities = abilities.bounded
    (self.login, self.abilities, draws) = (login, abilities, seed)
    pulls = abilities.streams.map(PullPlan.init)
    follows = abilities.streams.map { FollowPlan(isPossible: $0.isFollowed) }
    session.isOnline = surroundings.isOnline
    session.tokens = TokenPlan(hasToken: surroundings.hasToken)
    (refresh.interval, refresh.isForeground) = (interval, surroundings.isForeground)
  }

  /// Decides how to react to an event.
  ///
  /// After the login ends, only operations still to be sent under it lead to actions.
  ///
  /// - Complexity: O(what may be sent at once), and O(operations that wait) if many do.
  package mutating func take(
    _ event: SyncEvent, isLast: Bool = true, _ snapshot: borrowing StoreSnapshot,
    at now: Timestamp
  ) throws -> [SyncAction] {
    var actions = try begin(event, isLast: isLast, snapshot, at: now)
    while isDeciding { actions = try goOn(snapshot, at: now) }
    return actions
  }

  /// Performs the first part of ``take(_:isLast:_:at:)``, if there is much to examine.
  ///
  /// If ``isDeciding`` is then true, nothing is returned yet: call `goOn` before passing another
  /// event.
  ///
  /// - Parameter isLast: Whether no other event came together with this one. A refresh that several
  ///   of them want begins once, after the last.
  package mutating func begin(
    _ event: SyncEvent, isLast: Bool = true, _ snapshot: borrowing StoreSnapshot,
    at now: Timestamp
  ) throws -> [SyncAction] {
    noteSetbacks(snapshot)
    let isWidened = adapt(snapshot, now)
    if places?.isEmpty != false { lastAnswer = .disabled }
    guard snapshot.isServed(login, at: now) else { return takeActions() }
    if isWidened { want(.foreground, snapshot, now) }
    try decide(event, isLast: isLast, snapshot, now)
    return takeActions()
  }

  /// Whether the decision about what to send is incomplete.
  package var isDeciding: Bool { outbox.isSearching }

  /// Continues the decision about what to send, by the current state; returns the actions once it
  /// is complete.
  package mutating func goOn(
    _ snapshot: borrowing StoreSnapshot, at now: Timestamp
  ) throws -> [SyncAction] {
    noteSetbacks(snapshot)
    if snapshot.isServed(login, at: now) { try sendNext(snapshot, now) } else { outbox.endSearch() }
    return takeActions()
  }

  private mutating func takeActions() -> [SyncAction] {
    guard !isDeciding else { return [] }
    defer { actions = [] }
    return actions
  }

  private mutating func decide(
    _ event: SyncEvent, isLast: Bool, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    let leadsOn = leadsOn(event)
    if needsRecords(for: event) { outbox.resultsAreVisible() }
    try handle(event, snapshot, now)
    endWaitingInVain(snapshot, now)
    if isLast { beginRefresh(snapshot, now) }
    authorize(now)
    if leadsOn { return try sendAhead(snapshot, now) }
    // Records must be visible before further sending is decided.
    guard !event.isByItself, !actions.contains(where: \.isRecording) else { return }
    try send(snapshot, now)
  }

  /// Returns whether all earlier records must be visible before an event is handled.
  func needsRecords(for event: SyncEvent) -> Bool { !event.isByItself || leadsOn(event) }

  /// Returns whether an event is a result beside which more may be sent, for other objects.
  ///
  /// The views take as long to show a large result as the server took to produce it, and can only
  /// be read with many interruptions meanwhile.
  ///
  /// Rich messages don't depend on each other; what may be done about drafts, files, tags, messages
  /// and threads depends on what was done about others.
  private func leadsOn(_ event: SyncEvent) -> Bool {
    guard case .performed(let id, _) = event, event.isByItself, abilities.takesMany else {
      return false
    }
    return outbox.departure(id)?.request.parts.allSatisfy { $0.objectClass == .rich } == true
  }

  private mutating func handle(
    _ event: SyncEvent, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    switch event {
    case .began: try begin(snapshot, now)
    case .foreground(let isForeground): enter(isForeground, snapshot, now)
    case .online(let isOnline): connect(isOnline, snapshot, now)
    case .pushed: lastAnswer = want(.push, snapshot, now)
    case .wanted:
      session.tokens.hurry()
      lastAnswer = try wantByHand(snapshot, now)
    case .looked(let question): look(question, snapshot, now)
    case .recorded, .due: break
    case .authorized: try authorized(snapshot, now)
    case .unauthorized: session.tokens.failed(at: now, backoff, draw: draw())
    case .tokenDelayed: session.tokens.delayed(at: now, backoff, draw: draw())
    case .answered(let id, let result):
      try take(id.after(snapshot.setbacks), result, snapshot, now)
    case .performed(let id, let result): take(id, result, snapshot, now)
    case .keptBack(let id): keptBack(id, now)
    case .followed(let place, let result): take(place, result, now)
    case .unfollowed(let place): unfollowed(place, now)
    case .stored(let error): noteStorage(error, snapshot, now)
    case .awaited(let number):
      if refresh.noteAwaited(number) { want(.timer, snapshot, now) }
    }
  }

  /// Returns whether a person's next action can start at once, as far as is known.
  package func isReady(at now: Timestamp) -> Bool {
    session.maySend(at: now) && outbox.hasRoom(abilities)
  }

  /// Records what a server reported, followed by events.
  mutating func takeIn(
    _ delivery: Delivery, _ events: [any InboxEvent] = [], durability: Durability = .relaxed
  ) {
    var delivery = delivery
    delivery.wantsReceipts = abilities.wantsReceipts
    reading.take(delivery.facts)
    actions.append(.take(delivery, events, durability: durability))
  }

  /// Returns a pseudorandom number.
  mutating func draw() -> UInt64 {
    draws &+= 0x9E37_79B9_7F4A_7C15
    var word = (draws ^ draws >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  /// Asks for news, and tries again what waits for the app to be used if it is.
  private mutating func begin(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) throws {
    if refresh.isForeground, try snapshot.hasStuck(in: login.account) { restart(.foreground) }
    if !refresh.isRunning { want(.foreground, snapshot, now) }
  }

  private mutating func enter(
    _ isForeground: Bool, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    refresh.isForeground = isForeground
    guard isForeground else { return endFollowing(now) }
    session.tokens.hurry()
    restart(.foreground)
    want(.foreground, snapshot, now)
  }

  /// The network may be reported although it counted as available: sending may have failed
  /// nevertheless.
  private mutating func connect(
    _ isOnline: Bool, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    let wasOnline = session.isOnline
    session.isOnline = isOnline
    guard isOnline else { return endFollowing(now) }
    let isInVain = session.quiet?.reason == .notSent || session.tokens.isMissing
    guard !wasOnline || isInVain else { return }
    session.tokens.hurry()
    restart(.connected)
    want(.foreground, snapshot, now)
  }

  mutating func restart(_ reason: BackoffResetReason) {
    session.restart()
    for place in follows.indices { follows[place].restart() }
    actions.append(.record([BackoffReset { $0.reason = reason }], durability: .relaxed))
  }

  /// Requests a token if one is missing.
  private mutating func authorize(_ now: Timestamp) {
    guard session.wantsToken(at: now) else { return }
    session.tokens.ask()
    actions.append(.authorize)
  }

  /// Continues with a new token, including operations that waited for one before the process began.
  private mutating func authorized(
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    let isFirst = session.tokens.isFirst
    session.authorized()
    if refresh.retryAt(now) != nil { want(.timer, snapshot, now) }
    let isAwaited = try snapshot.hasStuck(in: login.account)
    if isFirst, !isAwaited { return }
    actions.append(.record([BackoffReset { $0.reason = .authorized }], durability: .relaxed))
  }

  /// Notes that the server has answered; if it was unreachable, waits for it end.
  mutating func noteAnswer() {
    if session.succeeded() { restart(.connected) }
  }

  /// Notes a failure.
  mutating func note(_ failure: ServerFailure, _ now: Timestamp) {
    session.failed(failure, at: now, backoff, draw: draw())
  }
}
