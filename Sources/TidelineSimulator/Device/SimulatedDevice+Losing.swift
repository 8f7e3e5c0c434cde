import EventStore
import Tideline
import TidelineSync

/// Records that do not reach the log, while the process goes on.
extension SimulatedDevice {
  /// Whether there are records that may be lost: some that are not durable, and no login or logout
  /// among them.
  var mayLose: Bool {
    guard let first = store.firstUnflushed else { return false }
    var isOfLogins = false
    store.forEachRecord { record in
      guard record.number >= first, !isOfLogins else { return }
      let event = try? EventCatalog.event(of: record)
      isOfLogins = event is LoggedIn || event is LoggedOut
    }
    return !isOfLogins
  }

  /// Loses the records that are not durable, and tells the syncs that wrote some of them; requests
  /// whose start is lost are not sent.
  func lose() throws {
    try store.lose()
    readLedgers()
    loseBeginnings()
    for place in syncs.indices where !syncs[place].unsettled.isEmpty {
      let failure = StoreError.log(.diskFull(path: name))
      for _ in syncs[place].unsettled { tell(.stored(failure), syncs[place].login) }
      (syncs[place].hasLost, syncs[place].hasFailed, syncs[place].unsettled) = (true, true, [])
    }
    forgetFace()
  }

  /// Notes which records of the syncs have become durable, and tells those that had lost some.
  func noteDurable() {
    for place in syncs.indices {
      let before = syncs[place].unsettled.count
      syncs[place].unsettled.removeAll { $0 <= store.durableCount }
      guard syncs[place].hasFailed, syncs[place].unsettled.count < before else { continue }
      syncs[place].hasFailed = false
      tell(.stored(nil), syncs[place].login)
    }
  }
}
