import EventStore
import Tideline
import TidelineSync

extension Simulation {
  /// The number of decisions after which a simulation counts as never coming to rest.
  static let stepsMax = 200_000

  /// Runs the simulation, ends all faults, and checks what must then hold.
  package func run() throws {
    try run(until: end, stepsMax: Self.stepsMax)
    try heal()
    try visitOthers()
    try check()
  }

  /// Ends all faults, and lets everything come to rest.
  private func heal() throws {
    tell("everything is well from here on")
    isHealed = true
    network.plan.shares = [:]
    mail?.isForbidden = false
    rich?.failingShare = 0
    rich?.unmentionedShare = 0
    for place in devices.indices {
      try resume(place)
      try setClock(place, to: .zero)
      try returnOwner(place)
      try connect(place, true)
    }
    try rest()
  }

  /// Logs in the others who have used the devices, and lets everything come to rest again, after a
  /// check of what the owners wanted.
  private func visitOthers() throws {
    let places = devices.indices.filter { devices[$0].ledgers[2]?.wasLoggedIn == true }
    guard !places.isEmpty else { return }
    for place in places {
      try checkPerson(place)
      try logOut(place, .hold)
      try logIn(place, 2)
    }
    count("second person checked", by: places.count)
    tell("the others are back")
    try rest()
  }

  /// Runs until everything has come to rest.
  private func rest() throws {
    wellSince = now
    for round in 1...3 {
      for place in devices.indices {
        if round > 1 { try decide(place) }
        try run(place, .foreground(true))
      }
      try run(until: now.advanced(by: .seconds(700)), stepsMax: Self.stepsMax)
      tell("round \(round) is over")
    }
    for place in devices.indices { try run(place, .foreground(true)) }
    try run(until: now.advanced(by: .seconds(60)), stepsMax: Self.stepsMax)
  }

  /// Decides uncertain operations: retries them if the server recognizes what it has done, and
  /// abandons them otherwise.
  private func decide(_ place: Int) throws {
    let device = devices[place]
    let uncertain = try device.open.filter { $0.state == .uncertain }
    let isKnown = plan.manners.keyInterval != nil
    let events = uncertain.map { operation -> any InboxEvent in
      guard !isKnown else {
        return Retry { ($0.intent, $0.item) = (operation.intent, operation.id) }
      }
      decided.insert(operation.id)
      return OperationAbandoned {
        ($0.intent, $0.item, $0.reason) = (operation.intent, operation.id, .decided)
      }
    }
    guard !events.isEmpty else { return }
    count("decided", by: events.count)
    try device.record(events, .full, time(place))
    try settle(place)
  }
}
