import EventStore
import Tideline

/// The clock of the device, which can be set.
extension SimulatedDevice {
  /// The smallest change of the clock that is noticed.
  private static let leastJump = Duration.seconds(2)

  /// Returns the time that the device's clock shows.
  func time(_ now: Timestamp) -> Timestamp { now.advanced(by: clock) }

  /// Sets the clock; while the store is suspended, nobody notices.
  func setClock(to clock: Duration, _ now: Timestamp) throws {
    jump += clock - self.clock
    self.clock = clock
    if !isSuspended { try noticeJump(time(now)) }
  }

  /// Records the time if something is due or the clock was set.
  ///
  /// - Parameter last: The time of the last record made before the process began; one ahead of the
  ///   clock reveals that it was set back.
  func catchUpWithClock(
    _ reason: ClockReason, _ now: Timestamp, after last: Timestamp? = nil
  ) throws {
    if let last {
      jump = .zero
      guard last <= now.advanced(by: Self.leastJump) else { return try tick(.set, now) }
    }
    if try noticeJump(now) { return }
    if let due = try store.views.nextDue, due <= now { try tick(reason, now) }
  }

  @discardableResult
  private func noticeJump(_ now: Timestamp) throws -> Bool {
    defer { jump = .zero }
    guard max(jump, .zero - jump) > Self.leastJump else { return false }
    try tick(.set, now, jump.milliseconds)
    return true
  }

  private func tick(_ reason: ClockReason, _ now: Timestamp, _ jump: Int64? = nil) throws {
    let event = ClockTicked { ($0.reason, $0.jump) = (reason, jump) }
    try record([event], .full, now)
  }

  /// Makes due what was to be woken at a moment that has come, whatever the clock shows.
  func ring(_ moment: Timestamp, _ now: Timestamp) {
    for place in syncs.indices {
      guard let wakeUp = syncs[place].wakeUp, wakeUp <= moment else { continue }
      syncs[place].wakeUp = min(wakeUp, now)
    }
  }
}
