package import EventStore
import Tideline

/// Decides all that synchronization of one login does: events in, actions out.
///
/// It knows no clock, no network and no disk. What it has to know of the past it reads from a
/// snapshot, so that after a crash a new one goes on where the log says that the last one was.
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
  /// The places of the streams that are kept up; `nil` before that was looked at.
  var places: Set<Int>?
  /// What came of the last refresh that was wanted by hand.
  package private(set) var lastAnswer = RefreshAnswer.disabled
  /// Which refresh it is that began upon that, or is going to.
  var lastNumber: Int { refresh.begun + (lastAnswer == .joined ? 1 : 0) }
  private var draws: UInt64
  /// What is done next, in this order.
  var actions: [SyncAction] = []

  /// A machine for a login at a server.
  ///
  /// - Parameters:
  ///   - login: Under which everything is asked and sent.
  ///   - abilities: What the server can do.
  ///   - interval: After how long the server is asked again in the foreground.
  ///   - surroundings: What is known of what is around the app.
  ///   - seed: What its random waits are drawn from.
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

  /// Decides what is done when something happens: nothing once the login is over, but for what is
  /// still to be sent under it.
  ///
  /// - Complexity: O(what may be sent at once), and O(operations that wait) where many do.
  package mutating func take(
    _ event: SyncEvent, _ snapshot: borrowing StoreSnapshot, at now: Timestamp
  ) throws -> [SyncAction] {
    var actions = try begin(event, snapshot, at: now)
    while isDeciding { actions += try goOn(snapshot, at: now) }
    return actions
  }

  /// As ``take(_:_:at:)``, but only some of it, where much is to be looked at: ``isDeciding`` then
  /// says that it is to go on, before it learns of anything else.
  package mutating func begin(
    _ event: SyncEvent, _ snapshot: borrowing StoreSnapshot, at now: Timestamp
  ) throws -> [SyncAction] {
    defer { actions = [] }
    let isWidened = adapt(snapshot, now)
    if places?.isEmpty != false { lastAnswer = .disabled }
    guard snapshot.isServed(login, at: now) else { return actions }
    if isWidened { want(.foreground, snapshot, now) }
    try decide(event, snapshot, now)
    return actions
  }

  /// Whether it is not decided yet what is sent.
  package var isDeciding: Bool { outbox.isSearching }

  /// Decides more of what is sent, by what is known now.
  package mutating func goOn(
    _ snapshot: borrowing StoreSnapshot, at now: Timestamp
  ) throws -> [SyncAction] {
    defer { actions = [] }
    if snapshot.isServed(login, at: now) { try sendNext(snapshot, now) } else { outbox.endSearch() }
    return actions
  }

  private mutating func decide(
    _ event: SyncEvent, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    switch event {
    case .began: if !refresh.isRunning { want(.foreground, snapshot, now) }
    case .foreground(let isForeground): enter(isForeground, snapshot, now)
    case .online(let isOnline): connect(isOnline, snapshot, now)
    case .pushed: want(.push, snapshot, now)
    case .wanted:
      session.tokens.hurry()
      lastAnswer = wanted(.manual, snapshot, now)
    case .looked(let question): look(question, snapshot, now)
    case .recorded, .due: break
    case .authorized: try authorized(snapshot)
    case .unauthorized: session.tokens.failed(at: now, backoff, draw: draw())
    case .answered(let id, let result): try take(id, result, snapshot, now)
    case .performed(let id, let result): take(id, result, snapshot, now)
    case .keptBack(let id): keptBack(id, now)
    case .followed(let place, let result): take(place, result, now)
    case .unfollowed(let place): unfollowed(place, now)
    case .stored(let error): noteStorage(error, snapshot, now)
    case .behind(let number):
      if refresh.noteAwaited(number) { want(.timer, snapshot, now) }
    }
    authorize(now)
    // What is recorded has to be seen before it is decided what else goes.
    guard !event.isByItself, !actions.contains(where: \.isRecording) else { return }
    try send(snapshot, now)
  }

  /// Whether what the person does now is begun at once, as far as can be told.
  package func isReady(at now: Timestamp) -> Bool {
    session.maySend(at: now) && outbox.hasRoom(abilities)
  }

  /// Has what a server told be taken in, with events behind it.
  mutating func takeIn(
    _ delivery: Delivery, _ events: [any InboxEvent] = [], durability: Durability = .relaxed
  ) {
    var delivery = delivery
    delivery.wantsReceipts = abilities.wantsReceipts
    reading.take(delivery.facts)
    actions.append(.take(delivery, events, durability: durability))
  }

  /// What is random.
  mutating func draw() -> UInt64 {
    draws &+= 0x9E37_79B9_7F4A_7C15
    var word = (draws ^ draws >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
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

  /// There being a network is also told where there was one, as far as is known: nothing could be
  /// sent all the same.
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
    actions.append(.record([BackoffReset { $0.reason = reason }], durability: .relaxed))
  }

  /// Has a token be asked for, where one is missing.
  private mutating func authorize(_ now: Timestamp) {
    guard session.wantsToken(at: now) else { return }
    session.tokens.ask()
    actions.append(.authorize)
  }

  /// Goes on with another token: also with what waited for one before the process began.
  private mutating func authorized(_ snapshot: borrowing StoreSnapshot) throws {
    let isFirst = session.tokens.isFirst
    session.authorized()
    let isAwaited = try snapshot.hasStuck(in: login.account)
    if isFirst, !isAwaited { return }
    actions.append(.record([BackoffReset { $0.reason = .authorized }], durability: .relaxed))
  }

  /// Notes that the server has answered; where it can be reached again, what waited for that waits
  /// no longer.
  mutating func noteAnswer() {
    if session.succeeded() { restart(.connected) }
  }

  /// Notes that something failed.
  mutating func note(_ failure: ServerFailure, _ now: Timestamp) {
    session.failed(failure, at: now, backoff, draw: draw())
  }
}
