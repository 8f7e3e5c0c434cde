import EventStore
import Tideline
import TidelineSync

/// Suspensions of the store, between which the syncs go on with other machines.
extension SimulatedDevice {
  /// Makes everything durable, and ends all work until ``resume(_:)``.
  func suspend() {
    store.suspend()
    forgetJobs()
    for place in syncs.indices {
      (syncs[place].unsettled, syncs[place].hasLost, syncs[place].hasFailed) = ([], false, false)
    }
    (isSuspended, isBehind) = (true, false)
  }

  /// Reopens the store, and records what came meanwhile; the syncs have yet to take over.
  func resume(_ now: Timestamp) throws {
    (isSuspended, isBehind) = (false, true)
    try emptySpool(now)
    try catchUpWithClock(.foreground, now)
  }

  /// Gives each sync that has anything left to do the machine that takes over from its last one.
  func takeOver(_ now: Timestamp, isForeground: Bool) throws {
    isBehind = false
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
