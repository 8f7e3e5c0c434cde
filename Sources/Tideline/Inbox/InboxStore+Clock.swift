public import EventStore
import Foundation

extension InboxStore {
  /// Takes in that the system's clock was set: what is shown between two moments is asked anew.
  ///
  /// By more than two seconds, it is noticed with whatever is recorded next, when something was to
  /// be due, and by ``resume()``. Where the system says so, to call this has it be so at once.
  ///
  /// - Throws: `StoreError`.
  public func clockWasSet() async throws(StoreError) {
    _ = look()
    try await record(jump: clockWatch.take())
  }

  /// What time it is.
  ///
  /// Where that tells that the clock was set, it is recorded soon.
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

  /// Tells the log what time it is, if something is due or the clock was set.
  func catchUpWithClock(_ reason: ClockReason) async throws(StoreError) {
    let now = look().now
    if let jump = clockWatch.take() { return try await record(jump: jump) }
    let due = try rows { snapshot in try snapshot.nextDue }
    guard let due, due <= now else { return }
    try await append(ClockTicked { $0.reason = reason }, nil)
  }

  /// Records that the clock was set, by so much where that is known.
  private func record(jump: Duration?) async throws(StoreError) {
    let event = ClockTicked {
      $0.reason = .set
      $0.jump = jump?.milliseconds
    }
    do throws(StoreError) { try await append(event, nil) } catch {
      if let jump { clockWatch.putBack(jump) }
      throw error
    }
    // It sleeps until a moment that is another now.
    try alarm.start(for: self)
  }

  /// What time it is, and whether that tells that the clock was set.
  private func look() -> (now: Timestamp, wasSet: Bool) {
    let before = uptime
    let now = (options.now?() ?? Date()).kept
    // Who is kept waiting between the two clocks can't compare them.
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
  /// When something happens next because it is time.
  package var nextDue: Timestamp? {
    get throws { try rows(of: ListName(InboxViews.timers), in: 0..<1).first?[Timers.due] }
  }

  /// The last moment within a second of another at which something is due, among so many.
  func lastDue(withinASecondOf due: Timestamp) throws -> Timestamp? {
    try rows(of: ListName(InboxViews.timers), in: 0..<256).compactMap { $0[Timers.due] }
      .last { $0.rawValue <= due.rawValue &+ 1000 }
  }
}
