import LMDB

/// Rights that one process has at a time, beside that to keep the views.
extension Store {
  /// Takes such a right by its name; `nil` where somebody has it, in this process or another.
  ///
  /// It waits for nobody. Whoever has it gives it back before the store is suspended or closed.
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

  /// Calls `onFree` each time that such a right has become free, on a thread of its own, until what
  /// this returns was called, once.
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
