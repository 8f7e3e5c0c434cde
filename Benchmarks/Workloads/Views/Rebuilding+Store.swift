import BenchmarkHarness
import BenchmarkPeers

extension Rebuilding {
  /// How many times as long as reading the log once building everything anew may take.
  static let timesScan = 15.0

  /// What the store's own case claims.
  static let claims = [
    Claim(.rate, against: scan, .ratioAtLeast(1 / timesScan)), Claim(.bytesWritten),
  ]

  /// The store's own cases, with the same items.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    []
  }
}
