import EventStore
import Tideline
import TidelineSync

/// Something that happens at a time.
enum Occurrence {
  /// Something that happens to a process, if it has not ended by then.
  case process(ProcessEvent, device: Int, opening: Int)
  /// A parcel arrives at the server; the first of its kind is answered.
  case arrival(Parcel, isFirst: Bool)
  /// Somebody does something.
  case person(Int)
  /// Something happens at the server.
  case world
  /// A device gets a push.
  case push(Int, AlertArrived)
}

/// Something that happens to a process.
enum ProcessEvent {
  case flush(through: Int)
  case wake(Timestamp)
  case clock(Timestamp)
  case news
  case token
  case hears(SyncEvent)
}

/// What is on its way to a server.
struct Parcel {
  enum Content {
    case question(QuestionID, Question)
    case request(Int, ServerRequest)
  }

  let content: Content
  let device: Int
  let opening: Int
  let token: Token?
  let route: Route
}

extension Simulation {
  /// Goes on until a time, or until so many decisions were made.
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
    case .person(let place): try act(place)
    case .world: try turn()
    case .push(let place, let alert):
      tell("\(devices[place].name) gets a push of \(alert.message.id ?? "")")
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
    case .token:
      device.token = newToken(for: place)
      try run(place, .authorized)
    case .hears(let event): try run(place, event)
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

  /// Has a device decide something.
  func run(_ place: Int, _ event: SyncEvent) throws {
    steps += 1
    let device = devices[place]
    let last = device.store.last
    try device.take(event, now)
    tell("\(device.name) \(event.line) -> \(device.lines(behind: last))")
    try settle(place)
    try watch(place)
    if !isHealed, dice.happens(plan.crashShare) { try crash(place) }
  }

  /// Ends a process, which begins anew at once.
  func crash(_ place: Int) throws {
    count("crash")
    alarms[place] = Alarm()
    // What was not durable has not happened.
    watches[place].sightings = [:]
    try devices[place].crash(now)
    tell("\(devices[place].name) crashes, and is at \(devices[place].store.last) again")
    try settle(place)
  }

  /// Does what a device wants done, and has it be woken.
  func settle(_ place: Int) throws {
    let device = devices[place]
    for errand in device.takeErrands() {
      switch errand {
      case .flush(let through, let delay): plan(.flush(through: through), place, after: delay)
      case .ask(let id, let question): send(.question(id, question), place)
      case .send(let id, let request, let intent):
        note(request, of: intent, place)
        send(.request(id, request), place)
      case .authorize: plan(.token, place, after: dice.milliseconds(10...3_000))
      }
    }
    if device.takeNews() { plan(.news, place, after: .zero) }
    alarm(place)
  }

  /// Notes who sends what, and checks that the log will know of it whatever happens.
  private func note(_ request: ServerRequest, of intent: RecordNumber, _ place: Int) {
    let device = devices[place]
    if request.parts.count == 1, request.key != OperationKey() {
      senders[request.key] = (place, intent)
    }
    let start = device.ledger.start(of: intent)
    guard start.map(device.store.isDurable) != true || !device.store.isDurable(intent) else {
      return
    }
    violate(.durableFirst, "\(device.name) sends \(intent), which is not durable")
  }

  /// Has a device be woken when it wants it, and when something is due.
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

  private func plan(_ event: ProcessEvent, _ place: Int, after delay: Duration) {
    plan(event, place, at: now.advanced(by: delay))
  }

  private func plan(_ event: ProcessEvent, _ place: Int, at time: Timestamp) {
    let opening = devices[place].store.openings
    agenda.add(.process(event, device: place, opening: opening), at: max(time, now))
  }

  private func send(_ content: Parcel.Content, _ place: Int) {
    let device = devices[place]
    let route = network.route(isOnline: device.isOnline)
    let parcel = Parcel(
      content: content, device: place, opening: device.store.openings, token: device.token,
      route: route)
    for (index, delay) in route.arrivals.enumerated() {
      agenda.add(.arrival(parcel, isFirst: index == 0), at: now.advanced(by: delay))
    }
    switch route.reply {
    case .answer, .partOfAnswer: break
    case .notSent: plan(.hears(parcel.failed(.notSent)), place, after: route.delay)
    case .nothing: plan(.hears(parcel.failed(.lostAnswer)), place, after: route.delay)
    case .failure: plan(.hears(parcel.failed(.server)), place, after: route.delay)
    }
  }

  private func arrive(_ parcel: Parcel, isFirst: Bool) {
    let answer = parcel.answer(of: server)
    tell("the server gets \(parcel.line) -> \(answer.line)")
    guard isFirst, [.answer, .partOfAnswer].contains(parcel.route.reply),
      devices[parcel.device].store.openings == parcel.opening
    else { return }
    let isWhole = parcel.route.reply == .answer
    plan(.hears(isWhole ? answer : answer.partly), parcel.device, after: parcel.route.delay)
  }
}
