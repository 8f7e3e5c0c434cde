import LMDB

/// Rights that one process at a time can hold, besides the right to keep the views.
extension Store {
  /// Takes the lease with a name; `nil` if it is held, in this process or another.
  ///
  /// Never waits. The holder must release the lease before the store is suspended or closed.
  ///
  /// - Throws: `log`.
  package func tryTakeLease(_ name: String) throws(StoreError) -> Lease? {
    do throws(LMDBError) {
      let folder = leaseFolder(name)
      try Folder(path).folder(Self.leases).create()
      try folder.create()
      return try Lease.tryTake(in: folder)
    } catch {
      throw .log(LogError(error, path: path))
    }
  }

  /// Calls `onFree` on its own thread each time that a lease becomes free; call the returned
  /// closure once to stop.
  package func watchLease(
    _ name: String, onFree: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let folder = leaseFolder(name)
    let watch = FileWatch(folder.path(of: Lease.file), for: .unlocking) {
      if Lease.isFreeSoon(in: folder) { onFree() }
    }
    return { watch.stop() }
  }

  private static let leases = "leases"

  private func leaseFolder(_ name: String) -> Folder {
    Folder(path).folder(Self.leases).folder(name)
  }
}
