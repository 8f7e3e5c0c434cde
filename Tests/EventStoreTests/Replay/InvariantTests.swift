import EventStore
import TestSupport
import Testing
import ToyDomains

/// All invariants hold after every batch of random histories.
@Suite struct InvariantTests {
  @Test(arguments: 0..<UInt64(Campaign.size(6, long: 200)))
  func invariants_holdAfterEveryBatch(_ seed: UInt64) async throws {
    if seed % 2 == 0 {
      try await Self.run(Todo.self, seed)
    } else {
      try await Self.run(Leaderboard.self, seed)
    }
  }

  private static func run<T: Toy>(_: T.Type, _ seed: UInt64) async throws {
    var history = try await ToyHistory<T>(seed: seed)
    for _ in 0..<40 {
      try await history.step()
      try history.store.checkInvariants()
    }
    try await history.reopen(withoutViews: false)
    try history.store.checkInvariants()
    try await history.reopen(withoutViews: true)
    try history.store.checkInvariants()
    await history.store.close()
  }
}
