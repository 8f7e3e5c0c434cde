import BenchmarkHarness
import BenchmarkPeers

extension Opening {
  /// Milliseconds that a new process may take at the real size.
  enum Goal {
    /// From opening the store until the first rows and their count are there.
    static let open = (warm: 3.0, evicted: 6.0)
    /// The rows and the count alone.
    static let firstRows = (warm: 0.2, evicted: 1.0)
    /// A rank then.
    static let rank = (warm: 0.05, evicted: 0.3)
    /// Each of them against a tenth of the size.
    static let growth = 1.5
  }

  /// The store's own cases: a role that opens it and prints times in milliseconds, `opened`.
  static func own(
    _ mailbox: Mailbox, _ state: PageCache.State, _ setting: Workload.Setting
  ) async throws -> [Case] {
    []
  }
}
