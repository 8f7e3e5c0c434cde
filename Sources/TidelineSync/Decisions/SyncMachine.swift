package import EventStore
package import Tideline

/// What happens to synchronization.
package enum SyncEvent: Sendable {
  /// It begins, with whether there is a network and the app is in use, as far as is known.
  case began
  /// The app came to the foreground, or left it.
  case foreground(Bool)
  /// There is a network, or there is none any more.
  case online(Bool)
  /// A push said that there is something.
  case pushed
  /// The person or the app wants a refresh.
  case wanted
  /// Somebody looks at a list of which the device may not have all, or at an object as it is now.
  case looked(Question)
  /// Something was recorded, and can be seen: also after all that this machine had recorded.
  case recorded
  /// A moment has come for which a wake-up was asked.
  case due
  /// There is a token to try.
  case authorized
  /// A question was answered.
  case answered(QuestionID, Result<Answer, ServerFailure>)
  /// A request was answered.
  case performed(Int, Result<Settlement, ServerFailure>)
  /// A stream that is followed told something, or why it does not.
  case followed(Int, Result<Answer, ServerFailure>)
  /// A stream is not followed any more, as the server ended it.
  case unfollowed(Int)
  /// The log did not take what this machine had recorded, or, without an error, takes it again.
  case stored(StoreError?)
  /// Somebody waits until all is there that the server had after a record.
  case behind(RecordNumber)
}

/// What tells questions apart.
package struct QuestionID: Hashable, Sendable {
  /// What it is asked for.
  package enum Purpose: Hashable, Sendable {
    /// To keep up a stream, by its place among the server's.
    case stream(Int)
    /// To see an object, or those of a list, as they are now.
    case object
    /// To find out whether a message was sent.
    case sent(intent: RecordNumber, item: String)
  }

  /// What it is asked for.
  package let purpose: Purpose
  /// What is asked.
  package let question: Question
  /// The last record that there was when it was asked.
  package let askedAfter: RecordNumber
}

/// What synchronization does.
package enum SyncAction: Sendable {
  /// Records events, in this order, before anything that comes behind.
  case record([any InboxEvent], durability: Durability)
  /// Takes in what the server has told, with events behind it, as one.
  case take(Delivery, [any InboxEvent], durability: Durability)
  /// Asks the server.
  case ask(QuestionID)
  /// Sends a request by its number, once everything recorded before is durable; its key is made of
  /// that of an intent, and of a label.
  case send(Int, ServerRequest, of: RecordNumber, label: String)
  /// Has a server tell by itself what changes in a stream since a cursor, by the stream's place.
  case follow(Int, stream: String, since: String)
  /// Has it not do that any more.
  case unfollow(Int)
  /// Gets another token than the one that was refused.
  case authorize
  /// Wakes up at a moment, and at no other.
  case wake(at: Timestamp?)
}

extension SyncAction {
  /// Whether something comes into the log by it.
  package var isRecording: Bool {
    switch self {
    case .record, .take: true
    case .ask, .send, .follow, .unfollow, .authorize, .wake: false
    }
  }
}

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
  /// What is to be asked once it is recorded what became of requests.
  var unasked: [Question] = []
  /// What was asked of objects in vain, or could not be, and is asked with the next refresh.
  var unheard: [Question] = []
  /// What came of the last refresh that was wanted by hand.
  package private(set) var lastAnswer = RefreshAnswer.disabled
  private var draws: UInt64
  /// What is done next, in this order.
  var actions: [SyncAction] = []

  /// A machine for a login at a server.
  ///
  /// - Parameters:
  ///   - login: Under which everything is asked and sent.
  ///   - abilities: What the server can do.
  ///   - interval: After how long the server is asked again in the foreground.
  ///   - seed: What its random waits are drawn from.
  package init(
    _ login: Login, _ abilities: ServerAbilities, interval: Duration? = nil, seed: UInt64
  ) {
    (self.login, self.abilities, draws) = (login, abilities, seed)
    pulls = abilities.streams.map(PullPlan.init)
    follows = abilities.streams.map { FollowPlan(isPossible: $0.isFollowed) }
    refresh.interval = interval
  }

  /// Decides what is done when something happens: nothing once the login is over, but for what is
  /// still to be sent under it.
  ///
  /// - Complexity: O(what may be sent at once), and O(operations that wait) where many do.
  package mutating func take(
    _ event: SyncEvent, _ snapshot: borrowing StoreSnapshot, at now: Timestamp
  ) throws -> [SyncAction] {
    defer { actions = [] }
    if !snapshot.isPresent(login) {
      lastAnswer = .disabled
      endFollowing(now)
      endPulling()
      refresh.cancel()
    }
    if snapshot.isServed(login, at: now) { try decide(event, snapshot, now) }
    return actions
  }

  private mutating func decide(
    _ event: SyncEvent, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    switch event {
    case .began: want(.foreground, snapshot, now)
    case .foreground(let isForeground): enter(isForeground, snapshot, now)
    case .online(let isOnline): connect(isOnline, snapshot, now)
    case .pushed: want(.push, snapshot, now)
    case .wanted:
      authorizeAgain()
      lastAnswer = wanted(.manual, snapshot, now)
    case .looked(let question): look(question, snapshot, now)
    case .recorded, .due: break
    case .authorized:
      session.authorized()
      actions.append(.record([BackoffReset { $0.reason = .authorized }], durability: .relaxed))
    case .answered(let id, let result): try take(id, result, snapshot, now)
    case .performed(let id, let result): take(id, result, snapshot, now)
    case .followed(let place, let result): take(place, result, now)
    case .unfollowed(let place): unfollowed(place, now)
    case .stored(let error): noteStorage(error, snapshot, now)
    case .behind(let number):
      if !refresh.covers(number) { want(.timer, snapshot, now) }
    }
    // What is recorded now has to be seen before it is decided what else goes.
    if !actions.contains(where: \.isRecording) { try send(snapshot, now) }
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
    authorizeAgain()
    restart(.foreground)
    want(.foreground, snapshot, now)
  }

  private mutating func connect(
    _ isOnline: Bool, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    defer { session.isOnline = isOnline }
    if !isOnline { endFollowing(now) }
    guard isOnline, !session.isOnline else { return }
    session.isOnline = true
    restart(.connected)
    want(.foreground, snapshot, now)
  }

  private mutating func restart(_ reason: BackoffResetReason) {
    session.restart()
    actions.append(.record([BackoffReset { $0.reason = reason }], durability: .relaxed))
  }

  /// Asks for a token once more, where there was none that the server takes.
  private mutating func authorizeAgain() {
    if session.isUnauthorized { actions.append(.authorize) }
  }

  /// Notes that something failed, and gets another token where that is why.
  mutating func note(_ failure: ServerFailure, _ now: Timestamp) {
    let needsToken = session.failed(failure, at: now, backoff, draw: draw())
    if needsToken { actions.append(.authorize) }
  }
}
