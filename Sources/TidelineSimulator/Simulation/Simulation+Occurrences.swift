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
}

/// An event of a process.
enum ProcessEvent {
  case flush(through: Int)
  case wake(Timestamp)
  case clock(Timestamp)
  case news
  case token(Login)
  case hears(SyncEvent, Login)
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
      guard devices[place].login != nil else { return }
      try devices[place].record([alert], .full, now)
      try run(place, .pushed)
    }
  }

  private func happen(_ event: ProcessEvent, _ place: Int) throws {
    let device = devices[place]
    switch event {
    case .flush(let through): try flush(through, place)
    case .wake(let moment):
      guard device.wakeUp == moment else { return }
      try run(place, .due)
    case .clock(let moment):
      guard try device.store.views.nextDue == moment else { return }
      try device.record([ClockTicked { $0.reason = .due }], .full, now)
      try settle(place)
    case .news: try run(place, .recorded)
    case .token(let login):
      setToken(of: login, place)
      try run(place, .authorized, of: login)
    case .hears(let event, let login):
      notePause(event, login, place)
      try run(place, event, of: login)
    }
  }

  private func flush(_ through: Int, _ place: Int) throws {
    if !isHealed, dice.happens(plan.failingFlushShare) {
      count("failed flush")
      tell("\(devices[place].name) fails to flush")
      return try crash(place)
    }
    devices[place].flushed(through: through)
    try settle(place)
  }

  /// Lets a device handle an event, for one login or for all it has had.
  func run(_ place: Int, _ event: SyncEvent, of login: Login? = nil) throws {
    steps += 1
    let device = devices[place]
    let last = device.store.last
    try device.take(event, now, of: login)
    tell("\(device.name) \(event.line) -> \(device.lines(after: last))")
    try settle(place)
    try watch(place)
    if !isHealed, dice.happens(plan.crashShare) { try crash(place) }
  }

  /// Ends a process, and starts it again at once.
  func crash(_ place: Int) throws {
    count("crash")
    alarms[place] = Alarm()
    // What was not durable never happened.
    watches[place].sightings = [:]
    forgetLostPromises(place)
    pauses.removeAll { $0.place == place }
    try devices[place].crash(now)
    tell("\(devices[place].name) crashes, and is at \(devices[place].store.last) again")
    try settle(place)
  }

  /// Carries out a device's errands, and schedules its wake-ups.
  func settle(_ place: Int) throws {
    let device = devices[place]
    for job in device.takeJobs() {
      switch job {
      case .flush(let through, let delay): plan(.flush(through: through), place, after: delay)
      case .ask(let id, let question, let login):
        checkPause(login, place)
        send(.question(id, question), login, place)
      case .send(let departure, let login): send(departure, login, place)
      case .follow(let stream, let name, let cursor, let login):
        follow(stream, name, since: cursor, login, place)
      case .unfollow(let stream, let login): endLine(of: stream, login, place)
      case .hear(let event, let login): plan(.hears(event, login), place, after: .zero)
      case .authorize(let login):
        plan(.token(login), place, after: dice.milliseconds(10...3_000))
      }
    }
    if device.takeNews() { plan(.news, place, after: .zero) }
    alarm(place)
  }

  /// Schedules the wake-ups that a device asks for, and those for due rows.
  private func alarm(_ place: Int) {
    let device = devices[place]
    if let moment = device.takeWakeUp(), moment != alarms[place].wakeUp || moment <= now {
      alarms[place].wakeUp = moment
      plan(.wake(moment), place, at: moment)
    }
    if let due = (try? device.store.views.nextDue) ?? nil, due != alarms[place].due {
      alarms[place].due = due
      plan(.clock(due), place, at: due)
    }
  }

  func plan(_ event: ProcessEvent, _ place: Int, after delay: Duration) {
    plan(event, place, at: now.advanced(by: delay))
  }

  private func plan(_ event: ProcessEvent, _ place: Int, at time: Timestamp) {
    let opening = devices[place].store.openings
    agenda.add(.process(event, device: place, opening: opening), at: max(time, now))
  }
}
