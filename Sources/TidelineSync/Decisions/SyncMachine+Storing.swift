import EventStore
import Tideline

/// The result of recording.
extension SyncMachine {
  /// Notes that the log rejected records, or accepts them again.
  ///
  /// The machine may then know more about the past than the log. After a while, it asks for
  /// everything again from the log's state. Sending depends on the log alone.
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
    refresh.tryAgain(at: max(end, refresh.nextAt(now) ?? end), from: now, isOwed: true)
  }

  private mutating func noteRecorded() {
    session.recorded()
    // Otherwise the next refresh brings what is missing.
    if pulls.isEmpty { session.madeUp() }
  }

  /// Forgets the numbers of records that were visible and were taken back, which other records get.
  ///
  /// They may have been lost although this machine made none of them.
  mutating func noteSetbacks(_ snapshot: borrowing StoreSnapshot) {
    let known = setbacks
    setbacks = snapshot.setbacks.count
    guard let floor = snapshot.setbacks.floor(since: known) else { return }
    refresh.setBack(to: floor)
    for place in pulls.indices { pulls[place].setBack(to: floor) }
    for place in follows.indices { follows[place].setBack(to: floor) }
  }
}
