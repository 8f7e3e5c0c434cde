public import EventStore
import Foundation

extension InboxStore {
  /// Handles a change of the system's clock: objects shown only between two moments are checked
  /// again.
  ///
  /// A change of more than two seconds is also detected when the next event is recorded, when
  /// something comes due, and by ``resume()``; after the clock was set back, also when the store is
  /// opened. Call this when the system reports a change, to handle it at once.
  ///
  /// - Throws: `StoreError`.
  public func clockWasSet() async throws(StoreError) {
    _ = look()
    try await record(jump: clockWatch.take())
  }

  /// The present time.
  ///
  /// If reading it reveals that the clock was set, that is recorded soon.
  package var now: Timestamp {
    let (now, wasSet) = look()
    if wasSet {
      Task { [weak self] in
        guard let self, let jump = clockWatch.take() else { return }
        try? await record(jump: jump)
      }
    }
    return now
  }

  /// Records the time in the log if something is due or the clock was set.
  ///
  /// - Parameter earlier: Times of records made before the store was opened; one ahead of the clock
  ///   reveals that the clock was set back meanwhile.
  func catchUpWithClock(
    _ reason: ClockReason, after earlier: [Timestamp] = []
  ) async throws(StoreError) {
    let now = look().now
    if let jump = clockWatch.take() { return try await record(jump: jump) }
    let limit = now.later(by: ClockWatch.leastJump)
    if earlier.contains(where: { $0 > limit }) { return try await record(jump: nil) }
    let due = try rows { snapshot in try snapshot.nextDue }
    guard let due, due <= now else { return }
    try await append(ClockTicked { $0.reason = reason }, nil)
  }

  /// The time of the last record, if that can be read.
  var lastRecordedAt: Timestamp? {
    (try? core.log).flatMap { log in (try? log.record(log.last))?.header.recordedAt }
  }

  /// Records that the clock was set, and by how much, if that is known.
  private func record(jump: Duration?) async throws(StoreError) {
    let event = ClockTicked {
      $0.reason = .set
      $0.jump = jump?.milliseconds
    }
    do throws(StoreError) { try await append(event, nil) } catch {
      if let jump { clockWatch.putBack(jump) }
      throw error
    }
    alarm.clockWasSet(in: self)
  }

  /// Returns the present time, and whether it reveals that the clock was set.
  private func look() -> (now: Timestamp, wasSet: Bool) {
    let before = uptime
    let now = (options.now?() ?? Date()).kept
    // Clocks can't be compared if much time passed between reading them.
    guard let before, let after = uptime, after - before < .seconds(1) else { return (now, false) }
    return (now, clockWatch.look(at: now, after))
  }

  private var uptime: Duration? {
    if let uptime = options.uptime { return uptime() }
    return options.now == nil ? Self.beginning.duration(to: .now) : nil
  }

  private static let beginning = ContinuousClock.now
}

extension StoreSnapshot {
  /// The time of the next timer.
  package var nextDue: Timestamp? {
    get throws { try rows(of: ListName(InboxViews.timers), in: 0..<1).first?[Timers.due] }
  }

  /// Returns the last time within a second of `due` at which something is due, of the first 256.
  func lastDue(withinASecondOf due: Timestamp) throws -> Timestamp? {
    try rows(of: ListName(InboxViews.timers), in: 0..<256).compactMap { $0[Timers.due] }
      .last { $0.rawValue <= due.rawValue &+ 1000 }
  }
}

extension Duration {
  /// The duration in whole milliseconds, clamped to what an `Int64` holds.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return isTooLong || isOver ? (seconds > 0 ? .max : .min) : sum
  }
}

extension Timestamp {
  /// Returns the moment later by a duration, of 100 years at most.
  func later(by duration: Duration) -> Timestamp {
    let limit: Int64 = 100 * 365 * 86_400_000
    let wait = min(max(duration.milliseconds, -limit), limit)
    let (moment, isOver) = rawValue.addingReportingOverflow(wait)
    return isOver ? self : Timestamp(rawValue: moment)
  }
}
