import BenchmarkHarness
import BenchmarkPeers

extension Mark {
  /// The store's own cases, by the same items: each a `point` of role `.own`, so that it is drawn.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    []
  }
}
