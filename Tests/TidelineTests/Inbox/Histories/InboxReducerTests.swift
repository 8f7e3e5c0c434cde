import Foundation
import TestSupport
import Testing
import Tideline

/// The reducer comes to what the naive model comes to.
///
/// One seed again: `TIDELINE_SEED=7 swift test --filter InboxReducerTests`.
@Suite(.serialized) struct InboxReducerTests {
  private static var seeds: Range<UInt64> {
    let one = ProcessInfo.processInfo.environment["TIDELINE_SEED"].flatMap { UInt64($0) }
    return one.map { $0..<($0 + 1) } ?? 0..<UInt64(Campaign.size(3, long: 5_000))
  }

  /// Takes some seconds: everything visible is compared behind each of thousands of records.
  @Test func histories_areThoseOfTheNaiveModel() async throws {
    let comparison = InboxComparison { try await ReducedInbox($0) }
    for seed in Self.seeds { try await comparison.run(seed: seed, count: 200) }
  }
}
