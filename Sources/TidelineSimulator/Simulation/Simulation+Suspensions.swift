import EventStore
import Tideline
import TidelineSync

/// Stores that are suspended and resumed.
extension Simulation {
  /// Suspends a device's store for a while.
  func suspend(_ place: Int) {
    count("suspended")
    let device = devices[place]
    device.suspend()
    tell("\(device.name) is suspended at \(device.store.last)")
    alarms[place] = Alarm()
    vigils[place].questions.removeAll { question in
      server.deeds.contains { question.isAbout($0.id) }
    }
    let wait = deviceDice.milliseconds(deviceDice.happens(500) ? 1...500 : 1_000...60_000)
    agenda.add(
      .resumption(device: place, opening: device.store.openings), at: now.advanced(by: wait))
  }

  /// Resumes a suspended store, or starts a new process if its own was ended meanwhile.
  func endSuspension(_ place: Int) throws {
    guard devices[place].isSuspended else { return }
    guard deviceDice.happens(200) else { return try resume(place) }
    count("ended while suspended")
    try crash(place)
  }

  /// Reopens a store if it is suspended; its syncs take over with their next event.
  func resume(_ place: Int) throws {
    let device = devices[place]
    guard device.isSuspended else { return }
    count("resumed")
    tell("\(device.name) resumes")
    try device.resume(time(place))
    endPauses(place)
    let wait = deviceDice.milliseconds(deviceDice.happens(500) ? 0...0 : 1...2_000)
    plan(.takeover, place, after: wait)
    try settle(place)
  }

  /// Makes the syncs of a device notice that the store was suspended: other machines begin, with
  /// all hints noted meanwhile.
  func takeOver(_ place: Int) throws {
    let device = devices[place]
    guard device.isBehind else { return }
    try device.takeOver(time(place), isForeground: !inBackground.contains(place))
    count("question handed over", by: device.unanswered)
    try run(place, [.began] + device.hints.take())
  }

  /// Records a push and tells the syncs, or keeps it until the store resumes.
  func receive(_ alert: AlertArrived, _ place: Int) throws {
    let device = devices[place]
    guard device.login != nil else { return }
    guard !device.isSuspended else { return device.spool.append(alert) }
    try device.record([alert], .full, time(place))
    try run(place, .pushed)
  }

  /// Returns what comes of the request for a token.
  func authorization(of login: Login) -> ProcessEvent {
    guard !isHealed, deviceDice.happens(plan.tokenlessShare) else { return .token(login) }
    count("no token")
    return .hears(deviceDice.happens(500) ? .unauthorized : .tokenDelayed, login)
  }
}

extension SimulatedDevice {
  /// The number of questions that the machines have taken over.
  fileprivate var unanswered: Int {
    syncs.reduce(0) { $0 + $1.machine.handover.questions.count }
  }
}
