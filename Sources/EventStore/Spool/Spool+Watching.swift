import LMDB

extension Spool {
  /// Calls `onArrival` on its own thread, immediately and after each arrival, if there is anything
  /// to drain.
  ///
  /// Call the returned closure once to stop. Where the system can't report arrivals, the folder is
  /// polled every 50 ms.
  package func watch(onArrival: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let watch = FileWatch(path, for: .arrival) { [folder] in
      let names = (try? folder.names()) ?? []
      if names.contains(where: { $0.hasSuffix(SpoolNames.finished) }) { onArrival() }
    }
    return { watch.stop() }
  }
}
