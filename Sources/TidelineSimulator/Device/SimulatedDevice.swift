package import EventStore
package import Tideline
package import TidelineSync

/// A device with its store and its synchronization, which does nothing by itself: what it wants to
/// be done it leaves as errands.
package final class SimulatedDevice {
  /// Something that is to be done for it, and for which login.
  package enum Errand {
    /// To have what was written be durable.
    case flush(through: Int, after: Duration)
    /// To ask the server.
    case ask(QuestionID, Question, Login)
    /// To send a request.
    case send(Departure, Login)
    /// To be told what changes in a stream since a cursor, by the stream's place.
    case follow(Int, stream: String, since: String, Login)
    /// Not to be told that any more.
    case unfollow(Int, Login)
    /// To have synchronization know of something.
    case hear(SyncEvent, Login)
    /// To get a token.
    case authorize(Login)
  }

  /// What keeps the inbox of a login in step, until the process ends.
  struct RunningSync {
    let login: Login
    var machine: SyncMachine
    /// What shows the server that it may ask.
    var token: Token?
    /// When it wants to be woken.
    var wakeUp: Timestamp?
  }

  /// Its name.
  package let name: String
  /// Who is logged in, if anybody is.
  package internal(set) var login: Login?
  /// The account that is logged in, or was last.
  package internal(set) var account: UInt32 = 1
  /// Its storage.
  package let store: VirtualStore
  /// Whether it has a network.
  package var isOnline = true
  /// What was wanted on it, by accounts.
  var ledgers: [UInt32: Ledger] = [:]
  /// The last of them is that of the present login; nobody has stopped the others.
  var syncs: [RunningSync] = []

  let policy: PolicySwitches
  let abilities: ServerAbilities
  var dice: Dice
  private var isWakeUpNew = false
  private var intake = Intake()
  private var errands: [Errand] = []
  /// Requests that wait until it is durable that they are begun.
  private var held: [(through: Int, errand: Errand)] = []
  /// With which batch it was written that requests are begun, by the login's and their own numbers.
  private var beginnings: [Login: [Int: Int]] = [:]
  private var face: Face?
  private var isFaceNew = false

  /// What of the outbox synchronization looks at all the time: how long it is, its first row, and
  /// those that are put off or held.
  private struct Face: Equatable {
    let count: Int
    let first: Row?
    let putOff: [Row]
  }

  /// A device on which somebody has just logged in.
  package init(
    _ name: String, _ policy: PolicySwitches, _ abilities: ServerAbilities, at now: Timestamp,
    seed: UInt64
  ) throws {
    (self.name, self.policy, self.abilities) = (name, policy, abilities)
    dice = Dice(seed: seed)
    store = try VirtualStore(seed: dice.next())
    try logIn(1, now)
    store.flush(through: store.count)
  }

  /// What was wanted by who is logged in, or was last.
  package var ledger: Ledger { ledgers[account] ?? Ledger() }

  /// When any synchronization wants to be woken.
  package var wakeUp: Timestamp? { syncs.compactMap(\.wakeUp).min() }

  /// What it wants done, once.
  package func takeErrands() -> [Errand] {
    defer { errands = [] }
    return errands
  }

  /// Whether the outbox is another, so that synchronization has to be told; once.
  package func takeNews() -> Bool {
    defer { isFaceNew = false }
    return isFaceNew
  }

  /// When it wants to be woken, each time that it says so.
  package func takeWakeUp() -> Timestamp? {
    defer { isWakeUpNew = false }
    return isWakeUpNew ? wakeUp : nil
  }

  /// What the server has not done for the account.
  package var open: [OpenOperation] {
    get throws {
      try store.views.rows(of: ListName(InboxViews.outbox), in: 0...)
        .filter { $0[Operations.account] == Int64(account) }.compactMap(OpenOperation.init)
    }
  }

  /// Records what a person wants, what the clock says, or what becomes of a login.
  @discardableResult
  package func record(
    _ events: [any InboxEvent], _ durability: Durability, _ now: Timestamp,
    for login: Login? = nil
  ) throws -> ClosedRange<RecordNumber> {
    let login = login ?? self.login
    let circumstances = circumstances(of: login, at: now)
    var batch = Batch()
    for event in events { batch.add(event, in: circumstances) }
    let numbers = try write(batch, durability)
    for (offset, event) in events.enumerated() {
      note(event, numbers.lowerBound.advanced(by: offset), of: login, at: now)
    }
    return numbers
  }

  private func circumstances(of login: Login?, at now: Timestamp) -> Circumstances {
    Circumstances(now: now, login: login, fingerprint: store.fingerprint)
  }

  /// Has the ledgers know of a record: all of them where it is that of the clock.
  func note(
    _ event: any InboxEvent, _ number: RecordNumber, of login: Login?, at now: Timestamp
  ) {
    let isOfAll = login == nil || event is ClockTicked
    for account in isOfAll ? [1, 2] : [login?.account ?? 1] {
      ledgers[account, default: Ledger()].take(event, number, at: now)
    }
  }

  /// Has synchronization know what happened, that of one login or of all, and does what it decides.
  package func take(_ event: SyncEvent, _ now: Timestamp, of login: Login? = nil) throws {
    for place in syncs.indices where login == nil || syncs[place].login == login {
      if case .due = event {
        guard let moment = syncs[place].wakeUp, moment <= now else { continue }
        syncs[place].wakeUp = nil
      }
      let actions = try syncs[place].machine.take(event, store.views, at: now)
      for action in actions { try perform(action, of: place, now) }
      if actions.contains(where: \.isRecording) { isFaceNew = true }
    }
  }

  private func write(_ batch: Batch, _ durability: Durability) throws -> ClosedRange<RecordNumber> {
    let numbers = try store.append(batch)
    let delay = VirtualStore.delay(durability, &dice)
    errands.append(.flush(through: store.count, after: delay))
    let unsent = try store.views.rows(of: ListName(InboxViews.unsent, of: account), in: 0...)
    let face = Face(
      count: unsent.count, first: unsent.first, putOff: unsent.filter(PutOff.has))
    if face != self.face { (self.face, isFaceNew) = (face, true) }
    return numbers
  }

  private func perform(_ action: SyncAction, of place: Int, _ now: Timestamp) throws {
    let login = syncs[place].login
    switch action {
    case .record(let events, let durability):
      try record(events, durability, now, for: login)
    case .begin(let departures):
      try record(departures.flatMap(\.beginning), .full, now, for: login)
      for departure in departures { beginnings[login, default: [:]][departure.id] = store.count }
    case .take(let delivery, let events, let durability):
      let (batches, doubtful) = try intake.batches(
        of: delivery, for: login, in: circumstances(of: login, at: now),
        key: { OperationKey(using: &dice) }, with: events
      ) { try $0(store.views) }
      for name in doubtful {
        errands.append(.hear(.looked(.object(name.objectClass, id: name.id)), login))
      }
      var end = RecordNumber.zero
      for batch in batches { end = try write(batch, durability).upperBound }
      for (offset, event) in events.reversed().enumerated() {
        note(event, end.advanced(by: -offset), of: login, at: now)
      }
    case .ask(let id): errands.append(.ask(id, filled(id), login))
    case .send(var departure):
      departure.request = try filled(departure)
      let beginning = beginnings[login]?.removeValue(forKey: departure.id)
      held.append((beginning ?? store.count, .send(departure, login)))
    case .authorize: errands.append(.authorize(login))
    case .follow(let place, let stream, let cursor):
      errands.append(.follow(place, stream: stream, since: cursor, login))
    case .unfollow(let place): errands.append(.unfollow(place, login))
    case .wake(let moment): (syncs[place].wakeUp, isWakeUpNew) = (moment, true)
    }
  }

  /// Has what was written be durable up to a batch.
  package func flushed(through count: Int) {
    store.flush(through: count)
    errands += held.filter { $0.through <= store.durableCount }.map(\.errand)
    held.removeAll { $0.through <= store.durableCount }
  }

  /// Forgets what was under way, as the process ended.
  func forgetErrands() {
    (errands, held, beginnings, face, isFaceNew) = ([], [], [:], nil, false)
    (syncs, intake) = ([], Intake())
  }
}
