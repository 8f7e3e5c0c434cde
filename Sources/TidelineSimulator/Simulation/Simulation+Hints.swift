import EventStore
import Tideline
import TidelineSync

/// What somebody waits for on a device.
struct Vigil {
  /// The questions about what was viewed that have no answer.
  var questions: [Question] = []
  /// The record up to which the device and the server must come into step.
  var number: RecordNumber?
}

/// Hints from around an app.
extension Simulation {
  /// Tells the syncs of a device something, or keeps it until its store resumes; a manual refresh
  /// is refused then.
  func hint(_ event: SyncEvent, _ place: Int) throws {
    guard devices[place].isSuspended else { return try run(place, event) }
    guard event.isRequestByHand != true else { return }
    devices[place].hints.add(event)
    count("hint kept")
  }

  /// Tells the syncs of a device several things that come together.
  func hintSeveral(_ place: Int) throws {
    let device = devices[place]
    guard device.login != nil else { return }
    count("several hints")
    for _ in 0..<deviceDice.number(2...5) { addHints(device, place) }
    if !device.isSuspended { try run(place, device.hints.take()) }
  }

  private func addHints(_ device: SimulatedDevice, _ place: Int) {
    switch deviceDice.number(0...5) {
    case 0:
      if device.isOnline { device.hints.add(.online(false)) }
      device.hints.add(.online(device.isOnline))
    case 1:
      inBackground.remove(place)
      device.hints.add(.foreground(true))
    case 2: device.hints.add(.pushed)
    case 3 where !device.isSuspended: device.hints.add(.wanted)
    case 4 where !device.isSuspended:
      vigils[place].number = device.store.last
      device.hints.add(.awaited(device.store.last))
    default:
      guard let question = question() else { return }
      vigils[place].questions.append(question)
      device.hints.add(.looked(question))
    }
  }

  /// Returns a question about something that somebody could view.
  private func question() -> Question? {
    let kind = deviceDice.number(0...2)
    guard let mail else {
      let ids = plan.kind == .engage ? rich?.active ?? [] : []
      return deviceDice.pick(ids).map { .object(.rich, id: $0) }
    }
    let messages = mail.allMessages.filter { !$0.isDraft }
    return switch kind {
    case 0: .list(.thread, by: [], offset: 0, limit: deviceDice.number(1...10))
    case 1: deviceDice.pick(mail.allThreads).map { .object(.thread, id: $0.id) }
    default: deviceDice.pick(messages).map { .object(.message, id: $0.id) }
    }
  }

  /// Notes the answer to a question about something in view.
  func noteAnswer(_ event: SyncEvent, _ login: Login, _ place: Int) {
    guard case .answered(let id, let result) = event, login == devices[place].login,
      result.isFinal
    else { return }
    vigils[place].questions.removeAll { $0 == id.question }
  }

  /// Checks that nobody who looked at something or waited for the server did so in vain.
  func checkVigil(_ place: Int) throws {
    let device = devices[place]
    for question in vigils[place].questions {
      violate(.comesToRest, "\(device.name): \(question) has no answer")
    }
    guard let number = vigils[place].number,
      let sync = device.syncs.last(where: { $0.login == device.login })
    else { return }
    let standing = try sync.machine.standing(device.store.views, at: time(place))
    guard !standing.covers(number) else { return }
    violate(.comesToRest, "\(device.name) is not in step with the server at \(number)")
  }
}

extension Question {
  /// Whether the question is about an object.
  func isAbout(_ object: String) -> Bool {
    if case .object(_, id: object) = self { true } else { false }
  }
}

extension Result<Answer, ServerFailure> {
  /// Whether the question need not be asked again.
  fileprivate var isFinal: Bool {
    switch self {
    case .success: true
    case .failure(let failure): failure.isRefusal
    }
  }
}
