package import EventStore
import Synchronization

/// Who synchronizes: for each login one at a time.
extension InboxStore {
  /// Takes the right to synchronize a login until the store is suspended or closed; `nil` where
  /// somebody has it, in this process or another.
  ///
  /// - Throws: `StoreError`.
  package func tryTakeLease(of login: Login) throws(StoreError) -> Lease? {
    guard let lease = try core.tryTakeLease(Self.name(of: login)) else { return nil }
    leases.withLock { leases in
      leases.removeAll { !$0.isHeld }
      leases.append(lease)
    }
    return lease
  }

  /// Calls `onFree` each time that the right to synchronize a login has become free, on a thread of
  /// its own, until what this returns was called, once.
  package func watchLease(
    of login: Login, onFree: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    core.watchLease(Self.name(of: login), onFree: onFree)
  }

  /// Gives back all of them.
  func releaseLeases() {
    for lease in leases.withLock({ $0 }) { lease.release() }
  }

  private static func name(of login: Login) -> String { "sync-\(login.account)-\(login.epoch)" }
}
