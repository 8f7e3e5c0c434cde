import EventStore
import TestSupport
import Testing
import ToyDomains

/// Random histories of the toys, driven through the store and compared with the plain models.
///
/// To run one seed: `TIDELINE_SEED=7 swift test --filter StoreHistoryTests`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StoreHistoryTests {
  private static let stepsPerHistory = 2000

  /// Takes several seconds: 100,000 steps, and everything shown is compared after each batch.
  @Test(.defect(.fetchedResults, 1)) func histories_areThoseOfThePlainModels() async throws {
    let seeds = Campaign.seeds(50, long: 2000)
    let tally = try await Self.run(seeds)
    print("views, seeds \(seeds): \(tally)")
    guard Campaign.chosenSeeds == nil else { return }
    #expect(tally.steps >= 100_000 && tally.handed > 10_000 && tally.pulled > 1000, "\(tally)")
    #expect(tally.moves > 2000 && tally.merged > 5000 && tally.watched > 5000, "\(tally)")
    #expect(tally.caughtUp > 1000 && tally.travels > 200 && tally.trials > 70, "\(tally)")
    #expect(tally.resets > 0, "\(tally)")
  }

  /// Events that touch more than one or a few rows are reported as resets, among ordinary events.
  ///
  /// Takes some seconds, like the histories above.
  @Test func histories_ofHugeEvents_areThoseOfThePlainModels() async throws {
    let seeds = Campaign.seeds(12, long: 2000)
    let tally = try await Self.run(seeds) { Int($0 % 8) }
    print("views, huge events, seeds \(seeds): \(tally)")
    #expect(tally.resets > tally.steps / 100, "\(tally)")
    #expect(tally.handed > tally.resets || seeds.count == 1, "\(tally)")
  }

  /// Runs histories a few at a time, since many at once would keep all other tests waiting.
  private static func run(
    _ seeds: Range<UInt64>, eventRowsMax: @escaping @Sendable (UInt64) -> Int? = { _ in nil }
  ) async throws -> DriveTally {
    let lanes: UInt64 = 2
    return try await withThrowingTaskGroup(of: DriveTally.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var tally = DriveTally()
          for seed in seeds where seed % lanes == lane {
            tally += try await run(seed, eventRowsMax: eventRowsMax(seed))
          }
          return tally
        }
      }
      return try await group.reduce(into: DriveTally()) { $0 += $1 }
    }
  }

  /// Runs a history, which is one of the leaderboard if the seed is odd.
  private static func run(_ seed: UInt64, eventRowsMax: Int? = nil) async throws -> DriveTally {
    do {
      return seed % 2 == 0
        ? try await run(Todo.self, seed, eventRowsMax)
        : try await run(Leaderboard.self, seed, eventRowsMax)
    } catch {
      throw Discrepancy("seed \(seed): \(error)")
    }
  }

  private static func run<T: Toy>(
    _: T.Type, _ seed: UInt64, _ eventRowsMax: Int?
  ) async throws -> DriveTally {
    var generator = SeededGenerator(seed: seed)
    let mix = T.Mix.random(using: &generator)
    let views = generator.onceIn(4) ? T.views : T.randomViews(using: &generator)
    let store = try await StoreUnderTest<T>(
      T.rules(views, version: 1), eventRowsMax: eventRowsMax)
    var drive = Drive(store, T.Model(views: views), mix, generator)
    do {
      try await drive.run(steps: stepsPerHistory)
    } catch {
      await store.close()
      throw error
    }
    await store.close()
    return drive.tally
  }
}
