import InboxHistories
import TestSupport
import Testing
import Tideline

/// The reducer reaches the same state as the naive model.
///
/// To repeat one seed: `TIDELINE_SEED=7 swift test --filter InboxReducerTests`. To run many, in a
/// release build: `Scripts/seeds histories 0 299`.
@Suite(.serialized) struct InboxReducerTests {
  /// Takes some seconds: everything visible is compared after each of thousands of records.
  @Test func histories_areThoseOfTheNaiveModel() async throws {
    let comparison = InboxComparison { try await ReducedInbox($0) }
    for seed in Campaign.seeds(3, long: 5_000) {
      do { try await comparison.run(seed: seed, count: 200) } catch { Issue.record(error) }
    }
  }
}
