import EventStore
import Tideline

/// Clocks that are set.
extension Simulation {
  /// Returns the time that a device's clock shows.
  func time(_ place: Int) -> Timestamp { devices[place].time(now) }

  /// Sets a device's clock right, a little wrong, or wrong.
  func setClock(_ place: Int) throws {
    let ranges: [(choice: ClosedRange<Int>, weight: Int)] = [
      (0...0, 3), (-1_500...1_500, 1), (-600_000...600_000, 6),
    ]
    let range = deviceDice.pick(weighted: ranges) ?? 0...0
    try setClock(place, to: deviceDice.milliseconds(range))
  }

  /// Sets how far a device's clock is ahead.
  func setClock(_ place: Int, to clock: Duration) throws {
    let device = devices[place]
    guard clock != device.clock else { return }
    count(clock < device.clock ? "clock set back" : "clock set forward")
    tell("\(device.name) has its clock set \(clock.milliseconds) ms ahead")
    try device.setClock(to: clock, now)
    endPauses(place)
    alarms[place].due = nil
    if !device.isSuspended { try settle(place) }
  }
}
