import EventStore
import TestSupport
import Testing
import ToyDomains

/// Views rebuilt from the log, compared with views that followed it step by step.
@Suite(.timeLimit(.minutes(5))) struct RebuildTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 200))

  @Test(.defect(.liveStore, 11), .defect(.kurrentDB, 1), arguments: seeds)
  func rebuilt_areThoseThatFollowed(_ seed: UInt64)
    async throws
  {
    if seed % 2 == 0 {
      try await Self.rebuild(Todo.self, seed)
    } else {
      try await Self.rebuild(Leaderboard.self, seed)
    }
  }

  private static func rebuild<T: Toy>(_: T.Type, _ seed: UInt64) async throws {
    var history = try await ToyHistory<T>(seed: seed)
    for _ in 0..<30 { try await history.step() }
    let followed = try await history.store.verify()
    #expect(followed.isSound, "seed \(seed): \(followed)")
    try await history.reopen(withoutViews: true)
    let rebuilt = try await history.store.verify()
    #expect(rebuilt.isSound, "seed \(seed): \(rebuilt)")
    try expect(&history, history.plain.count)
    for _ in 0..<5 { try await history.step() }
    try history.store.checkInvariants()
    try expect(&history, history.plain.count)
    #expect(try await history.store.verify().isSound)
    await history.store.close()
  }

  private static func expect<T: Toy>(_ history: inout ToyHistory<T>, _ number: Int) throws {
    for pane in history.allPanes(at: [number]) {
      let list = history.name(of: pane)
      let sight = try history.store.read { try $0.sight(of: pane, list) }
      #expect(
        sight == history.plain.sight(of: pane, at: number),
        "seed \(history.generator.seed), \(pane)")
    }
  }

  /// Catching up from any record tells exactly what happened since, or gives a reset.
  @Test(arguments: seeds) func catchingUp_fromAnyRecord_leadsThere(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<8 { try await history.step(upTo: 6) }
    try await Self.catchUp(&history, mayReset: false)
    try await history.reopen(withoutViews: false)
    try await Self.catchUp(&history, mayReset: false)
    try await history.reopen(withoutViews: true)
    try await Self.catchUp(&history, mayReset: true)
    for _ in 0..<2 { try await history.step(upTo: 6) }
    try await Self.catchUp(&history, mayReset: true)
    await history.store.close()
  }

  private static func catchUp(
    _ history: inout ToyHistory<Todo>, mayReset: Bool
  ) async throws {
    let end = history.plain.count
    for start in 0...end {
      let position = try await history.store.log.position(at: RecordNumber(start))
      for pane in history.allPanes(at: [start, end]) {
        let (old, new) = (
          history.plain.sight(of: pane, at: start), history.plain.sight(of: pane, at: end)
        )
        let set = try history.changes(of: pane, since: position)
        guard let set else {
          #expect(old == new, "seed \(history.generator.seed), \(pane) since \(start)")
          continue
        }
        #expect(mayReset || !set.isReset, "seed \(history.generator.seed), \(pane) since \(start)")
        let list = set.applying(to: RowList(old.rows))
        #expect(
          list.elementsEqual(new.rows), "seed \(history.generator.seed), \(pane) since \(start)")
        if !set.isReset {
          #expect(set == old.changeSet(to: new, from: set.from, to: set.to))
        }
      }
    }
  }
}

extension ToyHistory {
  fileprivate func changes(of pane: Pane, since position: Position) throws -> ChangeSet? {
    let window = pane.window.lowerBound..<pane.window.upperBound
    return try store.changes(
      of: name(of: pane), window: window, countsExactly: pane.window.hasTotal, since: position)
  }
}
