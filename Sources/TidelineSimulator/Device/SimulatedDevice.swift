package import EventStore
package import Tideline
package import TidelineSync

/// A device with its store and its syncs; it does nothing by itself, but leaves its needs as
/// errands.
package final class SimulatedDevice {
  /// A task to be done for the device, and the login it is for.
  package enum Job {
    /// Makes written batches durable.
    case flush(through: Int, after: Duration)
    /// Asks the server.
    case ask(QuestionID, Question, Login)
    /// Sends a request.
    case send(Departure, Login)
    /// Follows the changes of a stream since a cursor, by the stream's place.
    case follow(Int, stream: String, since: String, Login)
    /// Stops following a stream.
    case unfollow(Int, Login)
    /// Passes an event to the sync.
    case hear(SyncEvent, Login)
    /// Gets a token.
    case authorize(Login)
  }

  /// The sync of a login, which runs until the process ends.
  struct RunningSync {
    let login: Login
    var machine: SyncMachine
    /// The token for the server.
    var token: Token?
    /// Whether a token was received, if the server needs one.
    var hasToken = false
    /// The time at which the sync is to be woken.
    var wakeUp: Timestamp?
    /// Its writes that are not durable, by the number of batches then.
    var unsettled: [Int] = []
    /// Whether records of it were lost of which the machine has not heard.
    var hasLost = false
    /// Whether the last of its writes about which anything is known was lost.
    var hasFailed = false
  }

  /// The name of the device.
  package let name: String
  /// The current login, if any.
  package internal(set) var login: Login?
  /// The account that is logged in, or was last.
  package internal(set) var account: UInt32 = 1
  /// The storage of the device.
  package let store: VirtualStore
  /// Whether the device has a network.
  package var isOnline = true
  /// How far the device's clock is ahead.
  var clock = Duration.zero
  /// By how much the clock was set without anyone noticing.
  var jump = Duration.zero
  /// Whether the store is suspended.
  var isSuspended = false
  /// Whether the store was suspended without the syncs having noticed yet.
  var isBehind = false
  /// Hints that the syncs handle together.
  var hints = Hints()
  /// The pushes received while the store was suspended.
  var spool: [AlertArrived] = []
  /// What was wanted on the device, by account.
  var ledgers: [UInt32: Ledger] = [:]
  /// The syncs; the last is the current login's, and earlier ones were never stopped.
  var syncs: [RunningSync] = []

  /// Whether each process has to fetch its first token.
  let fetchesTokens: Bool
  let policy: PolicySwitches
  let abilities: ServerAbilities
  var dice: Dice
  private var isWakeUpNew = false
  private var intake = Intake()
  private var jobs: [Job] = []
  /// Requests that wait until the records of their start are durable.
  private var held: [(through: Int, job: Job)] = []
  /// The batches that record the start of requests, by login and request number; 0 for those that
  /// were lost.
  private var beginnings: [Login: [Int: Int]] = [:]
  private var face: Face?
  private var isFaceNew = false

  /// The parts of the outbox that the sync always watches: its length, its first row, and the
  /// delayed or held rows.
  private struct Face: Equatable {
    let count: Int
    let first: Row?
    let putOff: [Row]
  }

  /// Creates a device on which somebody has just logged in.
  package init(
    _ name: String, _ policy: PolicySwitches, _ abilities: ServerAbilities, at now: Timestamp,
    seed: UInt64, fetchesTokens: Bool = false
  ) throws {
    (self.name, self.policy, self.abilities) = (name, policy, abilities)
    self.fetchesTokens = fetchesTokens
    dice = Dice(seed: seed)
    store = try VirtualStore(seed: dice.next())
    try logIn(1, now)
    store.flush(through: store.count)
  }

  /// What was wanted under the current or last login.
  package var ledger: Ledger { ledgers[account] ?? Ledger() }

  /// The earliest time at which a sync is to be woken.
  package var wakeUp: Timestamp? { syncs.compactMap(\.wakeUp).min() }

  /// Returns the errands once.
  package func takeJobs() -> [Job] {
    defer { jobs = [] }
    return jobs
  }

  /// Returns once whether the outbox has changed, so that the sync must be told.
  package func takeNews() -> Bool {
    defer { isFaceNew = false }
    return isFaceNew
  }

  /// Returns each new wake-up time once.
  package func takeWakeUp() -> Timestamp? {
    defer { isWakeUpNew = false }
    return isWakeUpNew ? wakeUp : nil
  }

  /// The account's operations that the server has not performed.
  package var open: [OpenOperation] {
    get throws {
      try store.views.rows(of: ListName(InboxViews.outbox), in: 0...)
        .filter { $0[Operations.account] == Int64(account) }.compactMap(OpenOperation.init)
    }
  }

  /// Records what a person wants, what the clock says, or the outcome of a login.
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

  /// Applies a record to the ledgers; to all of them if it is the clock's.
  func note(
    _ event: any InboxEvent, _ number: RecordNumber, of login: Login?, at now: Timestamp
  ) {
    let isOfAll = login == nil || event is ClockTicked
    for account in isOfAll ? [1, 2] : [login?.account ?? 1] {
      ledgers[account, default: Ledger()].take(event, number, at: now)
    }
  }

  /// Passes an event to the sync of one login or of all, and performs the resulting actions.
  ///
  /// - Parameter isLast: Whether no other event that came together with it follows.
  package func take(
    _ event: SyncEvent, isLast: Bool = true, _ now: Timestamp, of login: Login? = nil
  ) throws {
    for place in syncs.indices where login == nil || syncs[place].login == login {
      if case .due = event {
        guard let moment = syncs[place].wakeUp, moment <= now else { continue }
        syncs[place].wakeUp = nil
      }
      if case .stored(_?) = event { syncs[place].hasLost = false }
      let actions = try syncs[place].machine.take(event, isLast: isLast, store.views, at: now)
      for action in actions {
        // A cursor is recorded only after everything before it.
        if action.movesOn, syncs[place].hasLost { break }
        try perform(action, of: place, now)
        if action.isRecording { syncs[place].unsettled.append(store.count) }
      }
      if actions.contains(where: \.isRecording) { isFaceNew = true }
    }
  }

  private func write(_ batch: Batch, _ durability: Durability) throws -> ClosedRange<RecordNumber> {
    let numbers = try store.append(batch)
    let delay = VirtualStore.delay(durability, &dice)
    jobs.append(.flush(through: store.count, after: delay))
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
        jobs.append(.hear(.looked(.object(name.objectClass, id: name.id)), login))
      }
      var end = RecordNumber.zero
      for batch in batches { end = try write(batch, durability).upperBound }
      for (offset, event) in events.reversed().enumerated() {
        note(event, end.advanced(by: -offset), of: login, at: now)
      }
    case .ask(let id): ask(id, login)
    case .send(let departure): send(departure, login)
    case .authorize: jobs.append(.authorize(login))
    case .follow(let place, let stream, let cursor):
      jobs.append(.follow(place, stream: stream, since: cursor, login))
    case .unfollow(let place): jobs.append(.unfollow(place, login))
    case .wake(let moment): (syncs[place].wakeUp, isWakeUpNew) = (moment, true)
    }
  }

  private func ask(_ id: QuestionID, _ login: Login) {
    do throws(ServerFailure) { jobs.append(.ask(id, try filled(id), login)) } catch {
      tell(.answered(id, .failure(error)), login)
    }
  }

  /// Sends a request once its start is durable.
  private func send(_ departure: Departure, _ login: Login) {
    let beginning = beginnings[login]?.removeValue(forKey: departure.id) ?? store.count
    do throws(ServerFailure) {
      guard beginning > 0 else { throw ServerFailure(.notSent) }
      var departure = departure
      departure.request = try filled(departure)
      held.append((beginning, .send(departure, login)))
    } catch {
      tell(.performed(departure.id, .failure(error)), login)
    }
  }

  /// Passes an event to the sync of a login, after what is being handled.
  func tell(_ event: SyncEvent, _ login: Login) { jobs.append(.hear(event, login)) }

  /// Notes that the starts of requests that are not in the log are lost.
  func loseBeginnings() {
    let lost = held.filter { $0.through > store.count }
    held.removeAll { $0.through > store.count }
    for case .send(let departure, let login) in lost.map(\.job) {
      tell(.performed(departure.id, .failure(ServerFailure(.notSent))), login)
    }
    for login in beginnings.keys {
      beginnings[login] = beginnings[login]?.mapValues { $0 > store.count ? 0 : $0 }
    }
  }

  /// Makes written batches durable up to a number.
  package func flushed(through count: Int) {
    store.flush(through: count)
    noteDurable()
    jobs += held.filter { $0.through <= store.durableCount }.map(\.job)
    held.removeAll { $0.through <= store.durableCount }
  }

  /// Forgets what is known of the outbox, because it may have changed without any record.
  func forgetFace() { (face, isFaceNew) = (nil, true) }

  /// Discards the work under way, because the machines have ended.
  func forgetJobs() {
    (jobs, held, beginnings, face, isFaceNew) = ([], [], [:], nil, false)
    isWakeUpNew = false
  }

  /// Discards all that a process remembers, because it has ended.
  func forgetProcess() {
    forgetJobs()
    (syncs, intake, hints) = ([], Intake(), Hints())
    (isSuspended, isBehind) = (false, false)
  }
}
