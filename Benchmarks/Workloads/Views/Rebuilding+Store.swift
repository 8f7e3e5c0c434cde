import BenchmarkHarness
import BenchmarkPeers

extension Rebuilding {
  /// The store's own cases, with the same items.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    []
  }
}
