import LMDB
import Synchronization

/// The base of a log's records, kept with its encoded bytes, so that each read of the log compares
/// bytes instead of decoding them.
final class BaseCache: Sendable {
  private struct Known {
    var bytes: [UInt8]
    var generation: UInt64
    var base: LogBase
  }

  private let known = Mutex<Known?>(nil)

  /// The latest base that was read.
  var newest: LogBase? { known.withLock { $0?.base } }

  /// Returns the base in the bytes of a store's own record, or `nil` if they are damaged.
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
