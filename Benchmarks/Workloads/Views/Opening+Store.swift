import BenchmarkHarness
import BenchmarkPeers

extension Opening {
  /// The store's own cases: a role that opens it and prints times in milliseconds, `opened`.
  static func own(
    _ mailbox: Mailbox, _ state: PageCache.State, _ setting: Workload.Setting
  ) async throws -> [Case] {
    []
  }
}
