import EventStore
import Tideline

/// What becomes of what is recorded.
extension SyncMachine {
  /// Notes that the log did not take what was recorded, or takes it again.
  ///
  /// What is known here of the past may then be more than the log knows: after a while everything
  /// is asked anew from there. What is sent depends on the log alone.
  mutating func noteStorage(
    _ error: StoreError?, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    guard let error else { return noteRecorded() }
    endFollowing(now)
    endPulling()
    session.refused(error, at: now, backoff, draw: draw())
    if refresh.isRunning {
      end(.failed, ServerFailure(.notSent, message: error.description), snapshot, now)
    }
    refresh.forgetCovered()
    let end = session.quietEnd(at: now) ?? now
    refresh.tryAgain(at: max(end, refresh.nextAt(now) ?? end), from: now)
  }

  private mutating func noteRecorded() {
    session.recorded()
    // Otherwise the next refresh brings what is missing.
    if pulls.isEmpty { session.madeUp() }
  }
}
