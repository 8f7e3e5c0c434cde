import LMDB
import Synchronization

/// What a log's records stand on, kept with the bytes that say so: they are compared, not decoded,
/// each time the log is looked at.
final class BaseCache: Sendable {
  private struct Known {
    var bytes: [UInt8]
    var generation: UInt64
    var base: LogBase
  }

  private let known = Mutex<Known?>(nil)

  /// What the latest that was read said.
  var newest: LogBase? { known.withLock { $0?.base } }

  /// What the bytes of a store's own record say; `nil` where they are not whole.
  func base(in bytes: RawSpan) -> LogBase? {
    if let base = known.withLock({ $0.flatMap { bytes.equals($0.bytes.raw) ? $0.base : nil } }) {
      return base
    }
    guard let store = try? StoreRecord(bytes) else { return nil }
    let found = Known(bytes: bytes.array, generation: store.generation, base: store.base)
    known.withLock { known in
      // An older snapshot may be read after a newer one.
      if found.generation >= known?.generation ?? 0 { known = found }
    }
    return found.base
  }
}
