package import EventStore
package import Tideline
package import TidelineSync

/// A device with its store and its synchronization, which does nothing by itself: what it wants to
/// be done it leaves as errands.
package final class SimulatedDevice {
  /// Something that is to be done for it.
  package enum Errand {
    /// To have what was written be durable.
    case flush(through: Int, after: Duration)
    /// To ask the server.
    case ask(QuestionID, Question)
    /// To send a request of an intent.
    case send(Int, ServerRequest, of: RecordNumber)
    /// To get a token.
    case authorize
  }

  /// Its name.
  package let name: String
  /// Under which everything happens.
  package let login: Login
  /// Its storage.
  package let store: VirtualStore
  /// What shows the server that it may ask.
  package var token: Token?
  /// Whether it has a network.
  package var isOnline = true
  /// What was wanted on it.
  package private(set) var ledger = Ledger()
  /// When its synchronization wants to be woken.
  package private(set) var wakeUp: Timestamp?
  private var isWakeUpNew = false

  private let abilities: ServerAbilities
  private var dice: Dice
  private var machine: SyncMachine
  private var intake = Intake()
  private var errands: [Errand] = []
  /// Requests that wait until what was written before is durable.
  private var held: [(through: Int, errand: Errand)] = []
  private var face: Face?
  private var isFaceNew = false

  /// What of the outbox synchronization looks at all the time.
  private struct Face: Equatable {
    let count: Int
    let first: Row?
  }

  /// A device on which somebody has just logged in.
  package init(
    _ name: String, _ policy: PolicySwitches, _ abilities: ServerAbilities, at now: Timestamp,
    seed: UInt64
  ) throws {
    (self.name, self.abilities) = (name, abilities)
    dice = Dice(seed: seed)
    login = Login(account: 1, epoch: 1)
    store = try VirtualStore(seed: dice.next())
    machine = SyncMachine(login, abilities, seed: dice.next())
    let loggedIn = LoggedIn { ($0.person, $0.policy) = (name, policy) }
    try record([loggedIn], .full, now)
    store.flush(through: store.count)
  }

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

  /// What the server has not done.
  package var open: [OpenOperation] {
    get throws {
      try store.views.rows(of: InboxViews.outbox, in: 0...).compactMap(OpenOperation.init)
    }
  }

  /// Records what a person wants, or what the clock says.
  @discardableResult
  package func record(
    _ events: [any InboxEvent], _ durability: Durability, _ now: Timestamp
  ) throws -> ClosedRange<RecordNumber> {
    var batch = Batch()
    for event in events { batch.add(event, recordedAt: now, login: login) }
    let numbers = try write(batch, durability)
    for (offset, event) in events.enumerated() {
      ledger.take(event, numbers.lowerBound.advanced(by: offset))
    }
    return numbers
  }

  /// Has synchronization know what happened, and does what it decides.
  package func take(_ event: SyncEvent, _ now: Timestamp) throws {
    let actions = try machine.take(event, store.views, at: now)
    for action in actions { try perform(action, now) }
    if actions.contains(where: \.isRecording) { isFaceNew = true }
  }

  private func write(_ batch: Batch, _ durability: Durability) throws -> ClosedRange<RecordNumber> {
    let numbers = try store.append(batch)
    let delay = VirtualStore.delay(durability, &dice)
    errands.append(.flush(through: store.count, after: delay))
    let views = store.views
    let face = Face(
      count: try views.count(of: InboxViews.unsent, group: Int64(login.account)),
      first: try views.rows(of: InboxViews.unsent, group: Int64(login.account), in: 0..<1).first)
    if face != self.face { (self.face, isFaceNew) = (face, true) }
    return numbers
  }

  private func perform(_ action: SyncAction, _ now: Timestamp) throws {
    switch action {
    case .record(let events, let durability): try record(events, durability, now)
    case .take(let delivery, let events, let durability):
      let batch = try intake.batch(
        of: delivery, for: login, at: now, store.fingerprint,
        key: { OperationKey(using: &dice) }, with: events
      ) { try $0(store.views) }
      let end = try write(batch, durability).upperBound
      for (offset, event) in events.reversed().enumerated() {
        ledger.take(event, end.advanced(by: -offset))
      }
    case .ask(let id): errands.append(.ask(id, filled(id)))
    case .send(let id, let request, let intent, let label):
      held.append((store.count, .send(id, try filled(request, of: intent, label), of: intent)))
    case .authorize: errands.append(.authorize)
    // No stream of a simulated server is followed.
    case .follow, .unfollow: break
    case .wake(let moment): (wakeUp, isWakeUpNew) = (moment, true)
    }
  }

  /// Has what was written be durable up to a batch.
  package func flushed(through count: Int) {
    store.flush(through: count)
    errands += held.filter { $0.through <= store.durableCount }.map(\.errand)
    held.removeAll { $0.through <= store.durableCount }
  }

  /// Ends the process, and begins another one with what is durable.
  package func crash(_ now: Timestamp) throws {
    try store.crash()
    (errands, held, wakeUp, face, isFaceNew) = ([], [], nil, nil, false)
    (machine, intake) = (SyncMachine(login, abilities, seed: dice.next()), Intake())
    ledger = Ledger()
    store.forEachRecord { record in
      guard let event = try? EventCatalog.event(of: record) else { return }
      ledger.take(event, record.number)
    }
    if let due = try store.views.nextDue, due <= now {
      try record([ClockTicked { $0.reason = .opened }], .full, now)
    }
    try take(.began, now)
  }
}
