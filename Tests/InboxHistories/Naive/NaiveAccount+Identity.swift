import EventStore
import Tideline

// Accounts and logins (2 to 7).
extension NaiveAccount {
  /// Rule 2.
  mutating func logIn(_ event: LoggedIn, _ login: Login, _ record: NaiveRecord) {
    let isPresent = isLoggedIn && epoch == login.epoch
    guard !isPresent || person == event.person else { return }
    (person, policy) = (event.person, event.policy)
    policy.marksReadOnOpening = chosenOpening ?? policy.marksReadOnOpening
    serverID = event.namespace ?? serverID
    if !isPresent { beginLogin(login) }
    for object in objects(.rich) { ask(object.name, record.now) }
  }

  private mutating func beginLogin(_ login: Login) {
    (isLoggedIn, epoch) = (true, login.epoch)
    for index in operations.indices { operations[index].flushUntil = nil }
    if policy.readOwner == .login { makeAllUnread() }
  }

  private mutating func makeAllUnread() {
    for object in objects(.rich) {
      objects[object.name]?.owned.remove(.isRead)
      objects[object.name]?.base?[.isRead] = .boolean(false)
    }
    end(operations.filter { $0.name.objectClass == .rich && $0.wish == .read(true) })
  }

  /// Rule 3.
  mutating func logOut(_ event: LoggedOut, _ record: NaiveRecord) {
    isLoggedIn = false
    switch event.pending {
    case .drop: end(operations.filter { $0.state != .acknowledged })
    case .hold: break
    case .flush:
      for index in operations.indices {
        operations[index].flushUntil = event.flushUntil ?? record.now
        operations[index].flushSince = record.now
        operations[index].heldUntil = nil
      }
    }
  }

  /// Rule 5.
  mutating func configure(_ event: ConfigurationChanged, _ record: NaiveRecord) {
    if let isEnabled = event.isInboxEnabled { isInboxEnabled = isEnabled }
    if let owns = event.ownsBadge { ownsBadge = owns }
    if let next = event.policy {
      (policy, chosenOpening) = (next, nil)
      for object in objects(.rich) { ask(object.name, record.now) }
    }
    if let marks = event.marksReadOnOpening {
      (policy.marksReadOnOpening, chosenOpening) = (marks, marks)
    }
  }

  /// Rule 6.
  mutating func restrict(_ event: PrivacyChanged) {
    privacy = event.mode
    if privacy == .forgotten {
      forget()
      isToBeErased = true
    }
  }

  /// Rule 7.
  mutating func erase(_ event: Erased) {
    guard let named = event.name else {
      if !isToBeErased { forget() }
      isToBeErased = false
      return
    }
    let name = canonical(named.objectClass, named.id)
    remove(name)
    tombstones[name] = nil
  }

  private mutating func forget() {
    objects = [:]
    operations = []
    tombstones = [:]
    cursors = [:]
  }
}
