import LMDB

extension Spool {
  /// Calls `onArrival` at once and whenever something has come, if there is anything to drain, on a
  /// thread of its own, until what this returns was called, once.
  ///
  /// Where the system can't tell it is looked for every 50 ms.
  package func watch(onArrival: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let watch = FileWatch(path, for: .arrival) { [folder] in
      let names = (try? folder.names()) ?? []
      if names.contains(where: { $0.hasSuffix(SpoolNames.finished) }) { onArrival() }
    }
    return { watch.stop() }
  }
}
