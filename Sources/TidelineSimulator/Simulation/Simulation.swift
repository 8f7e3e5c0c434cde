package import EventStore
import Tideline
import TidelineSync

/// Devices, their people, a server and a network, all in virtual time and drawn from one seed.
package final class Simulation {
  /// Something that must not be.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Which rule is broken.
    package let rule: Rule
    /// How.
    package let description: String
  }

  let plan: SimulationPlan
  let mail: MailServer?
  let rich: RichServer?
  let server: any SimulatedServer
  var network: Network
  package internal(set) var now: Timestamp
  package internal(set) var devices: [SimulatedDevice] = []
  /// How often devices had to decide something.
  package internal(set) var steps = 0
  /// How often what happened.
  package internal(set) var counts: [String: Int] = [:]
  /// What must not be, and was.
  package internal(set) var violations: [Violation] = []
  /// What happened, for people; only where it is told.
  package private(set) var story: [String] = []

  var agenda = Agenda<Occurrence>()
  var dice: Dice
  var people: [Person] = []
  var alarms: [Alarm] = []
  var watches: [Watch] = []
  var tokens = 0
  var isHealed = false
  /// Things of which somebody has decided that something was not done, without knowing it.
  var decided: Set<String> = []
  /// Which device sent requests about one thing, and for which intents, by their keys.
  var senders: [OperationKey: (place: Int, intent: RecordNumber)] = [:]
  /// Since when everything is well.
  var wellSince: Timestamp?
  let world: World
  /// When a process is woken by its own wish, and because something is due.
  struct Alarm {
    var wakeUp: Timestamp?
    var due: Timestamp?
  }

  /// When everything begins to be well.
  private(set) var end: Timestamp
  private let isTold: Bool
  private let start: Timestamp

  /// The simulation of a plan, before anything has happened.
  package init(_ plan: SimulationPlan, isTold: Bool = false) throws {
    (self.plan, self.isTold) = (plan, isTold)
    dice = Dice(seed: plan.seed)
    start = Timestamp(rawValue: 1_750_000_000_000)
    (now, end) = (start, start)
    let isMail = plan.kind == .mail
    mail = isMail ? MailServer(plan.manners, at: start, seed: dice.next()) : nil
    let manner = plan.kind == .engage ? RichServer.Manner.engage : .marketingCloud
    let rich = RichServer(manner, at: start, seed: dice.next())
    self.rich = isMail ? nil : rich
    server = mail ?? rich
    world = World(mail: mail, rich: self.rich)
    network = Network(plan.faults, seed: dice.next())
    try begin()
  }

  private func begin() throws {
    rich?.failingShare = plan.partShare
    rich?.unmentionedShare = plan.partShare
    for place in 0..<plan.devices { people.append(Person("d\(place)", seed: dice.next())) }
    for tag in people.flatMap(\.ownTags) { mail?.addTag(tag) }
    for number in 0..<plan.stock {
      _ = world.step(using: &dice)
      server.advance(to: start.advanced(by: .seconds(number)))
    }
    now = start.advanced(by: .seconds(plan.stock))
    for place in 0..<plan.devices {
      let device = try SimulatedDevice(
        "d\(place)", plan.policy, server.abilities, at: now, seed: dice.next())
      devices.append(device)
      alarms.append(Alarm())
      watches.append(Watch(dice.split()))
      device.token = newToken(for: place)
      try run(place, .began)
      agenda.add(.person(place), at: now.advanced(by: people[place].pause()))
    }
    agenda.add(.world, at: now)
    end = now.advanced(by: .seconds(plan.seconds))
  }

  /// Adds a line to the story.
  func tell(_ line: @autoclosure () -> String) {
    guard isTold else { return }
    let seconds = Double(now.milliseconds(since: start)) / 1000
    story.append("\(seconds) \(line())")
  }

  /// Notes that something must not be.
  func violate(_ rule: Rule, _ description: String) {
    tell("VIOLATION \(rule): \(description)")
    count("\(rule)")
    guard counts["\(rule)", default: 0] <= 3 else { return }
    violations.append(Violation(rule: rule, description: description))
  }

  /// How often what went wrong on the way to the server and back.
  package var faults: [Fault: Int] { network.counts }

  /// How many records devices wrote, and have.
  package var recordCount: Int { devices.reduce(0) { $0 + Int($1.store.last.rawValue) } }

  /// How long everything took there.
  package var seconds: Int { Int(now.milliseconds(since: start) / 1000) }

  /// Counts something.
  func count(_ word: String, by number: Int = 1) { counts[word, default: 0] += number }

  /// What shows a device from now on that it may ask.
  func newToken(for place: Int) -> Token? {
    guard let rich else { return mail?.token }
    tokens += 1
    let token = Token("token \(tokens)")
    rich.visitors[token] = Visitor(device: "d\(place)", login: place + 1)
    return token
  }
}

extension SimulationPlan {
  /// Who a device is for a rich server.
  func visitor(_ place: Int) -> Visitor {
    kind == .engage
      ? Visitor(device: "", login: place + 1) : Visitor(device: "d\(place)", login: 0)
  }
}
