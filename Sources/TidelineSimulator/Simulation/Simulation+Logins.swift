import EventStore
import Tideline
import TidelineSync

/// The logins of devices.
extension Simulation {
  /// Logs somebody out, or logs in the same or another person.
  func changeLogin(_ place: Int) throws {
    guard plan.logoutShare > 0, !devices[place].isSuspended else { return }
    guard devices[place].login == nil else {
      guard loginDice.happens(plan.logoutShare) else { return }
      return try logOut(place, loginDice.pick(weighted: [(.drop, 2), (.hold, 3), (.flush, 2)]))
    }
    guard loginDice.happens(300) else { return }
    let isOther = plan.hasSeveralPeople && loginDice.happens(400)
    try logIn(place, isOther ? 3 - devices[place].account : devices[place].account)
  }

  /// Logs out the person who uses a device.
  func logOut(_ place: Int, _ pending: PendingIntents?) throws {
    let (pending, duration) = (pending ?? .hold, loginDice.milliseconds(100...60_000))
    count("logout")
    tell("\(devices[place].name) logs out: \(pending)")
    try devices[place].logOut(pending, time(place), flushingFor: duration)
    watches[place].sightings = [:]
    vigils[place] = Vigil()
    try settle(place)
  }

  /// Logs in to an account.
  func logIn(_ place: Int, _ account: UInt32) throws {
    let device = devices[place]
    try device.logIn(account, time(place))
    guard let login = device.login else { return }
    count("login")
    tell("\(device.name) logs in: \(login.line)")
    setFirstToken(of: login, place)
    watches[place].sightings = [:]
    try run(place, .began, of: login)
  }

  /// Logs in the owner of a device.
  func returnOwner(_ place: Int) throws {
    guard devices[place].login?.account != 1 else { return }
    if devices[place].login != nil { try logOut(place, .hold) }
    try logIn(place, 1)
  }
}
