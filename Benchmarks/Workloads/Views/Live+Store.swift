import BenchmarkHarness
import BenchmarkPeers

extension Live {
  /// What one change may cost with all windows open, against one.
  static let growth = 1.5

  /// What the store's own case claims, whose name begins with `what`.
  static func claims(_ what: String, _ spread: Spread, _ windows: Int) -> [Claim] {
    guard windows > 1 else { return [Claim(.latency)] }
    return [Claim(.latency, against: name(what, spread, 1), .ratioAtMost(growth))]
  }

  /// The store's own cases, with the same windows.
  static func own(
    _ mailbox: Mailbox, _ spread: Spread, _ windows: Int, _ setting: Workload.Setting
  ) async throws -> [Case] {
    []
  }
}
