public import EventStore

extension InboxStore {
  /// Takes in that the system's clock was set: what is shown between two moments is asked anew.
  ///
  /// - Throws: `StoreError`.
  public func clockWasSet() async throws(StoreError) {
    try await append(ClockTicked { $0.reason = .set }, nil)
    // It sleeps until a moment that is another now.
    try alarm.start(for: self)
  }

  /// Tells the log what time it is, if something is due.
  func catchUpWithClock(_ reason: ClockReason) async throws(StoreError) {
    let now = now
    let due = try rows { snapshot in try snapshot.nextDue }
    guard let due, due <= now else { return }
    try await append(ClockTicked { $0.reason = reason }, nil)
  }
}

extension StoreSnapshot {
  /// When something happens next because it is time.
  package var nextDue: Timestamp? {
    get throws { try rows(of: InboxViews.timers, in: 0..<1).first?[Timers.due] }
  }
}
