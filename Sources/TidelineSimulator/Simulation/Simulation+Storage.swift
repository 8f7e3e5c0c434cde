import EventStore
import Tideline
import TidelineSync

/// Logs that are compacted, and disks that are full.
extension Simulation {
  /// Compacts a device's log up to some of what is durable.
  func compact(_ place: Int) {
    let device = devices[place]
    guard !device.isSuspended, device.store.durableCount > 0 else { return }
    let end = compactionDice.number(1...device.store.durableCount)
    guard compact(place, through: end) else { return }
    count("compacted")
    tell("\(device.name) compacts its log through batch \(end) of \(device.store.count)")
  }

  /// Compacts a device's log through a number of batches, even if that saves little; returns false
  /// if it can't be, or has been already.
  private func compact(_ place: Int, through end: Int) -> Bool {
    let device = devices[place]
    do { return try device.store.compact(through: end) } catch {
      violate(.folds, "\(device.name) can't compact its log: \(error)")
      return false
    }
  }

  /// Checks that what a device shows is what its log comes to when it is opened anew, and what it
  /// comes to once all of it is compacted.
  func checkCompaction(_ place: Int) throws {
    guard plan.compactionShare > 0 else { return }
    let device = devices[place]
    guard try device.store.reopened().mark == device.store.mark else {
      return violate(.folds, "\(device.name) shows what its log does not come to when reopened")
    }
    guard compact(place, through: device.store.durableCount),
      try device.store.reopened().mark != device.store.mark
    else { return }
    violate(.folds, "\(device.name) shows what its compacted log does not come to")
  }

  /// Returns whether a device's disk is full now; a full one often stays so for the next flushes.
  func findsFullDisk(_ place: Int) -> Bool {
    let share = fullDisks.contains(place) ? Self.stillFullShare : plan.fullDiskShare
    let isFull = diskDice.happens(share)
    if isFull { fullDisks.insert(place) } else { fullDisks.remove(place) }
    return isFull
  }

  /// The number of flushes per thousand that find a disk still full.
  private static let stillFullShare = 400

  /// Loses what a device has written and is not durable, because its disk is full; returns false if
  /// it has not, or if that includes a login or logout.
  ///
  /// Until a login or logout is durable, an app does not act on it.
  func lose(_ place: Int) throws -> Bool {
    let device = devices[place]
    guard device.mayLose else { return false }
    count("disk full")
    watches[place].sightings = [:]
    forgetLostPromises(place)
    try device.lose()
    if let number = vigils[place].number {
      let last = min(number, device.store.last)
      vigils[place].number = last
      // Like an app's, it goes on waiting, but for what is there now.
      if let login = device.login { device.tell(.awaited(last), login) }
    }
    alarms[place].due = nil
    tell("\(device.name) has no room, and is at \(device.store.last) again")
    try settle(place)
    return true
  }
}
