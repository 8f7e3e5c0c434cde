import EventStore
import TidelineSync

/// What servers refuse for a while, and apps that leave the foreground.
extension Simulation {
  /// A pause that a server asked a login's sync for.
  struct Pause {
    let place: Int
    let login: Login
    let end: Timestamp
  }

  /// Makes a mail account read-only for a while.
  func changeRights() {
    guard moodDice.happens(plan.forbiddenShare), let mail else { return }
    mail.isForbidden.toggle()
    count(mail.isForbidden ? "forbidden" : "allowed")
  }

  /// Moves an app to the background or back.
  func moveBackground(_ place: Int) throws {
    let isForeground = inBackground.remove(place) != nil
    if !isForeground { inBackground.insert(place) }
    count(isForeground ? "foreground" : "background")
    try run(place, .foreground(isForeground))
  }

  /// Returns what the sender of a parcel hears instead of an answer if the server turns it away.
  func throttled(_ parcel: Parcel) -> SyncEvent? {
    guard !isHealed, moodDice.happens(plan.throttledShare) else { return nil }
    count("throttled")
    return parcel.failed(.throttled, after: moodDice.milliseconds(100...90_000))
  }

  /// Notes the pause that a server asks for.
  func notePause(_ event: SyncEvent, _ login: Login, _ place: Int) {
    let wait: Duration? =
      switch event {
      case .answered(_, .failure(let failure)), .performed(_, .failure(let failure)):
        failure.retryAfter
      default: nil
      }
    guard let wait else { return }
    pauses.append(Pause(place: place, login: login, end: now.advanced(by: wait)))
  }

  /// Checks that a server is not asked before the pause that it asked for is over.
  func checkPause(_ login: Login, _ place: Int) {
    pauses.removeAll { $0.end <= now }
    guard pauses.contains(where: { $0.place == place && $0.login == login }) else { return }
    violate(.patient, "\(devices[place].name) asks for \(login.line) during a pause")
  }
}
