package import EventStore
import Synchronization

/// The right to synchronize: one holder at a time for each login.
extension InboxStore {
  /// Takes the lease to synchronize a login until the store is suspended or closed; returns `nil`
  /// if it is already held, in this process or another.
  ///
  /// - Parameter onEnd: Called when the store is suspended or closed while the lease is held.
  /// - Throws: `StoreError`.
  package func tryTakeLease(
    of login: Login, onEnd: @escaping @Sendable () -> Void = {}
  ) throws(StoreError) -> Lease? {
    guard let lease = try core.tryTakeLease(Self.name(of: login)) else { return nil }
    leases.withLock { leases in
      leases.removeAll { !$0.lease.isHeld }
      leases.append((lease, onEnd))
    }
    return lease
  }

  /// Calls `onFree` each time that the lease to synchronize a login becomes free, on a thread of
  /// its own, until the returned closure is called; call that once.
  package func watchLease(
    of login: Login, onFree: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    core.watchLease(Self.name(of: login), onFree: onFree)
  }

  /// Releases all leases.
  func releaseLeases() {
    let ended = leases.withLock { leases in
      defer { leases = [] }
      return leases.filter(\.lease.isHeld)
    }
    for (lease, onEnd) in ended {
      lease.release()
      onEnd()
    }
  }

  private static func name(of login: Login) -> String { "sync-\(login.account)-\(login.epoch)" }
}
