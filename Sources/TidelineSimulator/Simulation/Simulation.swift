package import EventStore
import Tideline
import TidelineSync

/// Devices, their people, a server and a network, in virtual time and drawn from one seed.
package final class Simulation {
  /// A violation of a rule.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The broken rule.
    package let rule: Rule
    /// The details.
    package let description: String
  }

  let plan: SimulationPlan
  let mail: MailServer?
  let rich: RichServer?
  let server: any SimulatedServer
  var network: Network
  package internal(set) var now: Timestamp
  package internal(set) var devices: [SimulatedDevice] = []
  /// The number of decisions that devices had to make.
  package internal(set) var steps = 0
  /// The counts of events, by name.
  package internal(set) var counts: [String: Int] = [:]
  /// The violations found.
  package internal(set) var violations: [Violation] = []
  /// The events for people; empty unless the story is told.
  package private(set) var story: [String] = []

  var agenda = Agenda<Occurrence>()
  var dice: Dice
  /// The people of each device: first its owner, then somebody else.
  var people: [[Person]] = []
  var loginDice: Dice
  var moodDice: Dice
  var deviceDice: Dice
  var compactionDice: Dice
  var diskDice: Dice
  /// The devices whose disk was full at the last flush.
  var fullDisks: Set<Int> = []
  /// The devices whose app is in the background.
  var inBackground: Set<Int> = []
  /// The pauses that the server asked for.
  var pauses: [Pause] = []
  /// The followed streams, by number.
  var lines: [Int: Line] = [:]
  var lastLine = 0
  var alarms: [Alarm] = []
  var watches: [Watch] = []
  /// What somebody waits for on each device.
  var vigils: [Vigil] = []
  var tokens = 0
  var isHealed = false
  /// Items about which somebody has decided, without knowing, that something was not done.
  var decided: Set<String> = []
  /// The senders and intents of requests about one item, by key.
  var senders: [OperationKey: (sender: Sender, intent: RecordNumber)] = [:]
  /// The changes that people wanted, in order.
  var promises: [Sender: [Promise]] = [:]
  /// The operations that the parts of requests perform.
  var carried: [DeedName: Set<OperationName>] = [:]
  /// The refusals by servers.
  var refusals: Set<Refusal> = []
  /// How often the creation of items was requested, by their ids at that time.
  var makings: [String: Int] = [:]
  /// The time since which there are no faults.
  var wellSince: Timestamp?
  let world: World
  /// An account on a device.
  struct Sender: Hashable {
    let place: Int
    let account: UInt32
  }

  /// The times at which a process is woken, by its own wish or because something is due.
  struct Alarm {
    var wakeUp: Timestamp?
    var due: Timestamp?
  }

  /// The time at which the faults end.
  private(set) var end: Timestamp
  private let isTold: Bool
  private let start: Timestamp

  /// Creates the simulation of a plan, before any events.
  package init(_ plan: SimulationPlan, isTold: Bool = false) throws {
    (self.plan, self.isTold) = (plan, isTold)
    (dice, deviceDice) = (Dice(seed: plan.seed), plan.deviceDice)
    (loginDice, moodDice) = (plan.loginDice, plan.moodDice)
    (compactionDice, diskDice) = (plan.compactionDice, plan.diskDice)
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
    for place in people.indices {
      for person in people[place].indices {
        people[place][person].replyShare = plan.replyShare
        people[place][person].fileShare = plan.fileShare
        people[place][person].regretShare = plan.regretShare
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
        "d\(place)", plan.policy, server.abilities, at: now, seed: dice.next(),
        fetchesTokens: plan.tokenlessShare > 0)
      devices.append(device)
      alarms.append(Alarm())
      watches.append(Watch(dice.split()))
      vigils.append(Vigil())
      if let login = device.login { setFirstToken(of: login, place) }
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

  /// Notes a violation.
  func violate(_ rule: Rule, _ description: String) {
    tell("VIOLATION \(rule): \(description)")
    count("\(rule)")
    guard counts["\(rule)", default: 0] <= 3 else { return }
    violations.append(Violation(rule: rule, description: description))
  }

  /// The number of times each network fault happened.
  package var faults: [Fault: Int] { network.counts }

  /// The number of records in the logs of all devices.
  package var recordCount: Int { devices.reduce(0) { $0 + Int($1.store.last.rawValue) } }

  /// The simulated time that has passed, in seconds.
  package var seconds: Int { Int(now.milliseconds(since: start) / 1000) }

  /// Counts events.
  func count(_ word: String, by number: Int = 1) { counts[word, default: 0] += number }

  /// Gives a new login of a device its token, unless the device has to fetch it.
  func setFirstToken(of login: Login, _ place: Int) {
    if !devices[place].fetchesTokens { setToken(of: login, place) }
  }

  /// Gives a login of a device its new token.
  func setToken(of login: Login, _ place: Int) {
    guard let rich else { return devices[place].setToken(mail?.token, of: login) }
    tokens += 1
    let token = Token("token \(tokens)")
    rich.visitors[token] = visitor(login, place)
    devices[place].setToken(token, of: login)
  }

  /// Returns the visitor that a login of a device is to a rich server.
  func visitor(_ login: Login, _ place: Int) -> Visitor {
    let person = place + 1 + Int(login.account - 1) * 100
    return Visitor(device: "d\(place)", login: person, session: Int(login.epoch))
  }
}

extension SimulationPlan {
  /// Whether others use the devices as well; not if the server keeps state by device.
  var hasSeveralPeople: Bool { logoutShare > 0 && kind != .marketingCloud }
}
