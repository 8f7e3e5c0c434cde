import BenchmarkHarness
import BenchmarkPeers

extension Live {
  /// The store's own cases, with the same windows.
  static func own(
    _ mailbox: Mailbox, _ spread: Spread, _ windows: Int, _ setting: Workload.Setting
  ) async throws -> [Case] {
    []
  }
}
