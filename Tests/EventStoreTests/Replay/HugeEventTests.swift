import EventStore
import TestSupport
import Testing
import ToyDomains

/// Events that touch too many rows to be told one by one, in everything that folds a log anew.
@Suite(.timeLimit(.minutes(5))) struct HugeEventTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 200))

  /// Views that caught up or were rebuilt, replayed or verified are those of the plain model.
  @Test(arguments: seeds) func views_madeAnew_areThoseOfThePlainModel(_ seed: UInt64) async throws {
    if seed % 2 == 0 {
      try await Self.compare(Todo.self, seed)
    } else {
      try await Self.compare(Leaderboard.self, seed)
    }
  }

  private static func compare<T: Toy>(_: T.Type, _ seed: UInt64) async throws {
    var history = try await ToyHistory<T>(seed: seed, eventRowsMax: Int(seed % 4))
    for round in 0..<6 {
      for _ in 0..<5 { try await history.step() }
      if round == 1 { try await history.reopen(withoutViews: false) }
      if round == 3 { try await history.reopen(withoutViews: true) }
      let found = try await history.store.verify()
      #expect(found.isSound, "seed \(seed): \(found)")
      let number = Int.random(in: 0...history.plain.count, using: &history.generator)
      let replay = try history.store.replay(at: RecordNumber(number))
      try replay.checkInvariants()
      try replay.advance(to: RecordNumber(history.plain.count))
      try replay.checkInvariants()
      for pane in history.allPanes(at: [history.plain.count]) {
        let sight = try replay.views.sight(of: pane, history.name(of: pane))
        let expected = history.plain.sight(of: pane, at: history.plain.count)
        #expect(sight == expected, "seed \(seed), \(pane)")
      }
    }
    await history.store.close()
  }

  /// From before such an event catching up gives a reset, and from after it the changes.
  @Test(arguments: seeds) func catchingUp_fromEveryPrefix(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed, eventRowsMax: Int(seed % 3))
    for _ in 0..<25 { try await history.step() }
    var resets = 0
    for number in 0..<history.plain.count {
      let start = try await history.store.log.position(at: RecordNumber(number))
      for pane in history.allPanes(at: [number, history.plain.count]) {
        let set = try history.store.changes(
          of: history.name(of: pane), window: 0..., countsExactly: true, since: start)
        let old = history.plain.sight(of: pane, at: number)
        let new = history.plain.sight(of: pane, at: history.plain.count)
        guard let set else {
          #expect(old == new, "seed \(seed), \(pane) since \(number)")
          continue
        }
        if set.isReset {
          resets += 1
          #expect(set.applying(to: []).elementsEqual(new.rows), "seed \(seed), \(pane)")
        } else {
          #expect(set == old.changeSet(to: new, from: start, to: set.to), "seed \(seed), \(pane)")
        }
      }
    }
    #expect(resets > 0 || seed % 3 > 0, "seed \(seed)")
    await history.store.close()
  }
}
