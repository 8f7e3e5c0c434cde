import EventStore
import TidelineSync

/// What servers refuse for a while, and apps that leave the foreground.
extension Simulation {
  /// A pause that a server asked a login's sync for.
  struct Pause {
    let place: Int
    let login: Login
    let beginning: Timestamp
    let end: Timestamp

    /// Whether the pause is not over at a time of the device; it is if the clock was set back to
    /// before its beginning.
    func lasts(at now: Timestamp) -> Bool { beginning <= now && now < end }
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
    try hint(.foreground(isForeground), place)
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
    let now = time(place)
    pauses.append(
      Pause(place: place, login: login, beginning: now, end: now.advanced(by: wait)))
  }

  /// Checks that a server is not asked before the pause that it asked for is over.
  func checkPause(_ login: Login, _ place: Int) {
    endPauses(place)
    guard pauses.contains(where: { $0.place == place && $0.login == login }) else { return }
    violate(.patient, "\(devices[place].name) asks for \(login.line) during a pause")
  }

  /// Forgets the pauses of a device that are over.
  func endPauses(_ place: Int) {
    pauses.removeAll { $0.place == place && !$0.lasts(at: time(place)) }
  }
}
