import EventStore
import Tideline
import TidelineSync

/// Suspensions of the store, between which the syncs go on with other machines.
extension SimulatedDevice {
  /// Makes everything durable, and ends all work until ``resume(_:isForeground:)``.
  func suspend() {
    store.suspend()
    forgetJobs()
    isSuspended = true
  }

  /// Reopens the store, and gives each sync that has anything left to do the machine that takes
  /// over from its last one.
  func resume(_ now: Timestamp, isForeground: Bool) throws {
    isSuspended = false
    try emptySpool(now)
    try catchUpWithClock(.foreground, now)
    syncs = try syncs.compactMap { sync in
      let served = try store.views.servedLogin(of: sync.login.account, at: now)
      return served == sync.login ? successor(of: sync, isForeground) : nil
    }
  }

  private func successor(of sync: RunningSync, _ isForeground: Bool) -> RunningSync {
    var next = sync
    next.machine = machine(of: sync.login, hasToken: sync.hasToken, isForeground: isForeground)
    (next.machine.handover, next.wakeUp) = (sync.machine.handover, nil)
    return next
  }

  /// Records the pushes received while the store was not open.
  func emptySpool(_ now: Timestamp) throws {
    if login != nil, !spool.isEmpty { try record(spool, .full, now) }
    spool = []
  }
}
