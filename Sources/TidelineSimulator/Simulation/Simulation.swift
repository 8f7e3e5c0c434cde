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
  /// Who uses each device: whose account it is first, and somebody else.
  var people: [[Person]] = []
  var loginDice: Dice
  /// The streams that are followed, by their numbers.
  var lines: [Int: Line] = [:]
  var lastLine = 0
  var alarms: [Alarm] = []
  var watches: [Watch] = []
  var tokens = 0
  var isHealed = false
  /// Things of which somebody has decided that something was not done, without knowing it.
  var decided: Set<String> = []
  /// Who sent requests about one thing, and for which intents, by their keys.
  var senders: [OperationKey: (sender: Sender, intent: RecordNumber)] = [:]
  /// What servers have refused to do.
  var refusals: Set<Refusal> = []
  /// How often things were asked to be made, by the ids that they had then.
  var makings: [String: Int] = [:]
  /// Since when everything is well.
  var wellSince: Timestamp?
  let world: World
  /// Somebody on a device.
  struct Sender: Hashable {
    let place: Int
    let account: UInt32
  }

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
    (dice, loginDice) = (Dice(seed: plan.seed), plan.loginDice)
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
    for place in 0..<plan.devices { people.append([Person("d\(place)", seed: dice.next())]) }
    if plan.hasSeveralPeople {
      for place in people.indices {
        people[place].append(Person("e\(place)", account: 2, seed: loginDice.next()))
      }
    }
    for tag in people.joined().flatMap(\.ownTags) { mail?.addTag(tag) }
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
      if let login = device.login { setToken(of: login, place) }
      try run(place, .began)
      agenda.add(.person(place), at: now.advanced(by: people[place][0].pause()))
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

  /// Gives a login of a device what shows from now on that it may ask.
  func setToken(of login: Login, _ place: Int) {
    guard let rich else { return devices[place].setToken(mail?.token, of: login) }
    tokens += 1
    let token = Token("token \(tokens)")
    let person = place + 1 + Int(login.account - 1) * 100
    rich.visitors[token] = Visitor(device: "d\(place)", login: person)
    devices[place].setToken(token, of: login)
  }
}

extension SimulationPlan {
  /// Whether devices are used by others as well: not where the server keeps the state of devices.
  var hasSeveralPeople: Bool { logoutShare > 0 && kind != .marketingCloud }

  /// Who a device is for a rich server.
  func visitor(_ place: Int) -> Visitor {
    kind == .engage
      ? Visitor(device: "", login: place + 1) : Visitor(device: "d\(place)", login: 0)
  }
}
