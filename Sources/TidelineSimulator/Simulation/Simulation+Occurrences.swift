import EventStore
import Tideline
import TidelineSync

/// An event of the simulation.
enum Occurrence {
  /// An event of a process, unless the process has ended by then.
  case process(ProcessEvent, device: Int, opening: Int)
  /// The arrival of a parcel at the server; only the first arrival is answered.
  case arrival(Parcel, isFirst: Bool)
  /// A server's check for changes on a line, or the arrival of its report, if the line still
  /// exists.
  case line(Int, SyncEvent?)
  /// An action of a person.
  case person(Int)
  /// An event at the server.
  case world
  /// The arrival of a push at a device.
  case push(Int, AlertArrived)
  /// The end of a suspension of a device's store, unless it has ended by then.
  case resumption(device: Int, opening: Int)
}

/// An event of a process.
enum ProcessEvent {
  /// The first batches become durable, unless some were lost since this was planned.
  case flush(through: Int, losses: Int)
  case wake(Timestamp)
  case clock(Timestamp)
  case news
  case token(Login)
  case hears(SyncEvent, Login)
  /// The syncs notice that the store was suspended, unless another event came first.
  case takeover
}

/// A question or request on its way to a server.
struct Parcel {
  enum Content {
    case question(QuestionID, Question)
    case request(Int, ServerRequest)
  }

  let content: Content
  let device: Int
  let login: Login
  let opening: Int
  let token: Token?
  let route: Route
}

extension Simulation {
  /// Runs until a time, or until a number of decisions were made.
  func run(until end: Timestamp, stepsMax: Int) throws {
    while let next = agenda.next, next <= end, steps < stepsMax {
      guard let (occurrence, time) = agenda.popFirst() else { return }
      now = max(now, time)
      server.advance(to: now)
      try happen(occurrence)
    }
    now = max(now, end)
    server.advance(to: now)
  }

  private func happen(_ occurrence: Occurrence) throws {
    switch occurrence {
    case .process(let event, let device, let opening):
      guard devices[device].store.openings == opening else { return }
      try happen(event, device)
    case .arrival(let parcel, let isFirst): arrive(parcel, isFirst: isFirst)
    case .line(let number, let event): try use(number, event)
    case .person(let place): try act(place)
    case .world: try turn()
    case .push(let place, let alert):
      tell("\(devices[place].name) gets a push of \(alert.message.id ?? "")")
      try receive(alert, place)
    case .resumption(let place, let opening):
      guard devices[place].store.openings == opening else { return }
      try endSuspension(place)
    }
  }

  private func happen(_ event: ProcessEvent, _ place: Int) throws {
    let device = devices[place]
    switch event {
    case .flush(let through, let losses):
      guard device.store.losses == losses else { return }
      try flush(through, place)
    case .wake(let moment):
      guard device.wakeUp == moment else { return }
      alarms[place].wakeUp = nil
      device.ring(moment, time(place))
      try run(place, .due)
    case .clock(let moment):
      guard try device.store.views.nextDue == moment else { return }
      if moment <= time(place) {
        try device.record([ClockTicked { $0.reason = .due }], .full, time(place))
      } else {
        // The clock was set back a little.
        alarms[place].due = nil
      }
      try settle(place)
    case .news: try run(place, .recorded)
    case .token(let login):
      setToken(of: login, place)
      try run(place, .authorized, of: login)
    case .hears(let event, let login):
      notePause(event, login, place)
      noteAnswer(event, login, place)
      try run(place, event, of: login)
    case .takeover: try takeOver(place)
    }
  }

  private func flush(_ through: Int, _ place: Int) throws {
    if !isHealed, dice.happens(plan.failingFlushShare) {
      count("failed flush")
      tell("\(devices[place].name) fails to flush")
      return try crash(place)
    }
    if !isHealed, findsFullDisk(place), try lose(place) { return }
    devices[place].flushed(through: through)
    try settle(place)
  }

  /// Lets a device handle an event, for one login or for all it has had.
  func run(_ place: Int, _ event: SyncEvent, of login: Login? = nil) throws {
    try run(place, [event], of: login)
  }

  /// Lets a device handle events that come together.
  ///
  /// The first ones after a suspension only make the syncs notice it, as those of an app do; of
  /// these events, the hints are handled then.
  func run(_ place: Int, _ events: [SyncEvent], of login: Login? = nil) throws {
    guard !events.isEmpty else { return }
    let device = devices[place]
    guard !device.isBehind else {
      for event in events { device.hints.add(event) }
      return try takeOver(place)
    }
    steps += events.count
    let last = device.store.last
    for (index, event) in events.enumerated() {
      try device.take(event, isLast: index == events.count - 1, time(place), of: login)
    }
    tell(
      "\(device.name) \(events.map(\.line).joined(separator: ", "))"
        + " -> \(device.lines(after: last))")
    try settle(place)
    try watch(place)
    guard !isHealed else { return }
    if dice.happens(plan.crashShare) { try crash(place) }
    if deviceDice.happens(plan.suspensionShare) { suspend(place) }
  }

  /// Ends a process, and starts it again at once.
  func crash(_ place: Int) throws {
    count("crash")
    alarms[place] = Alarm()
    // What was not durable never happened.
    watches[place].sightings = [:]
    vigils[place] = Vigil()
    forgetLostPromises(place)
    pauses.removeAll { $0.place == place }
    try devices[place].crash(time(place))
    tell("\(devices[place].name) crashes, and is at \(devices[place].store.last) again")
    try settle(place)
  }

  /// Carries out a device's errands, and schedules its wake-ups.
  func settle(_ place: Int) throws {
    let device = devices[place]
    for job in device.takeJobs() {
      switch job {
      case .flush(let through, let delay):
        plan(.flush(through: through, losses: device.store.losses), place, after: delay)
      case .ask(let id, let question, let login):
        checkPause(login, place)
        send(.question(id, question), login, place)
      case .send(let departure, let login): send(departure, login, place)
      case .follow(let stream, let name, let cursor, let login):
        follow(stream, name, since: cursor, login, place)
      case .unfollow(let stream, let login): endLine(of: stream, login, place)
      case .hear(let event, let login): plan(.hears(event, login), place, after: .zero)
      case .authorize(let login):
        plan(authorization(of: login), place, after: dice.milliseconds(10...3_000))
      }
    }
    if device.takeNews() { plan(.news, place, after: .zero) }
    alarm(place)
  }

  /// Schedules the wake-ups that a device asks for, and those for due rows.
  private func alarm(_ place: Int) {
    let (device, present) = (devices[place], time(place))
    if let moment = device.takeWakeUp(), moment != alarms[place].wakeUp || moment <= present {
      alarms[place].wakeUp = moment
      plan(.wake(moment), place, at: moment)
    }
    if let due = (try? device.store.views.nextDue) ?? nil, due != alarms[place].due {
      alarms[place].due = due
      plan(.clock(due), place, at: due)
    }
  }

  func plan(_ event: ProcessEvent, _ place: Int, after delay: Duration) {
    plan(event, place, at: time(place).advanced(by: delay))
  }

  /// Plans an event for a time of the device's clock; setting the clock does not move it.
  private func plan(_ event: ProcessEvent, _ place: Int, at time: Timestamp) {
    let opening = devices[place].store.openings
    let moment = time.advanced(by: .zero - devices[place].clock)
    agenda.add(.process(event, device: place, opening: opening), at: max(moment, now))
  }
}
