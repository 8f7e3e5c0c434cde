import EventStore
import Tideline
import TidelineSync

/// Actions of people and events at servers.
extension Simulation {
  /// Makes a person act, and schedules the next action.
  func act(_ place: Int) throws {
    guard !isHealed else { return }
    agenda.add(.person(place), at: now.advanced(by: people[place][0].pause()))
    let (device, person) = (devices[place], personPlace(place))
    guard device.login != nil, !device.isSuspended else { return }
    let event =
      plan.kind == .mail
      ? try people[place][person].mail(device.store.views, at: time(place))
      : try people[place][person].rich(device.store.views)
    guard let event else { return }
    let changes = try device.changes(by: event)
    let number = try device.record([event], .full, time(place)).lowerBound
    if let intent = event as? any Intent, intent.terms.heldUntil != nil {
      people[place][person].noteHeld(number)
    }
    count("intent")
    if event is AddFile { count("file added") }
    if people[place][person].hasSecondThought { count("second thought") }
    tell("\(device.name) wants \(number): \(event.line)")
    try note(changes, by: number, place)
    try settle(place)
    try watch(place)
  }

  /// Makes an event happen at the server, and schedules the next one.
  func turn() throws {
    guard !isHealed else { return }
    agenda.add(.world, at: now.advanced(by: dice.milliseconds(100...15_000)))
    if let happening = world.step(using: &dice) {
      tell(happening.line)
      count("happening")
      push(happening.alert)
    }
    if dice.happens(plan.purgeShare) { mail?.purge(keeping: dice.number(0...5)) }
    if dice.happens(plan.tokenShare) { changeTokens() }
    changeRights()
    for place in devices.indices { try turn(place) }
  }

  private func turn(_ place: Int) throws {
    if dice.happens(plan.connectionShare) { try connect(place, !devices[place].isOnline) }
    if dice.happens(50) { try hint(dice.happens(500) ? .wanted : .foreground(true), place) }
    if moodDice.happens(plan.backgroundShare) { try moveBackground(place) }
    try changeLogin(place)
    if deviceDice.happens(plan.hintShare) { try hintSeveral(place) }
    if deviceDice.happens(plan.clockShare) { try setClock(place) }
    if compactionDice.happens(plan.compactionShare) { compact(place) }
  }

  /// Returns which of a device's people uses it now, or did last.
  func personPlace(_ place: Int) -> Int { Int(devices[place].account) - 1 }

  /// Connects a device to the network, or disconnects it.
  func connect(_ place: Int, _ isOnline: Bool) throws {
    devices[place].isOnline = isOnline
    count(isOnline ? "online" : "offline")
    try hint(.online(isOnline), place)
  }

  /// Sends a push to all devices, and to some of them twice.
  private func push(_ id: String?) {
    guard let alert = id.flatMap({ rich?.alert(of: $0) }) else { return }
    for place in devices.indices {
      for _ in 0...(dice.happens(200) ? 1 : 0) {
        agenda.add(.push(place, alert), at: now.advanced(by: dice.milliseconds(50...10_000)))
      }
    }
  }

  /// Replaces all tokens; earlier ones are refused from now on.
  private func changeTokens() {
    count("token")
    tokens += 1
    mail?.token = Token("token \(tokens)")
    rich?.visitors = [:]
  }
}
