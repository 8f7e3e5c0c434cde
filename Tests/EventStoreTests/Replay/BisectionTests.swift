import EventStore
import TestSupport
import Testing
import ToyDomains

/// Planted faults, and the records that planted them.
@Suite(.timeLimit(.minutes(5))) struct BisectionTests {
  /// A thousand faults are each found exactly, in as many probes as halving takes.
  @Test func bisection_findsPlantedFaults() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<1000 {
      let last = UInt64.random(in: 1...1_000_000, using: &generator)
      let fault = UInt64.random(in: 1...last, using: &generator)
      var bisection = Bisection(after: 0, through: RecordNumber(rawValue: last))
      while let number = bisection.next {
        bisection.note(number, isSo: number.rawValue >= fault)
      }
      #expect(bisection.found?.rawValue == fault)
      #expect(bisection.probes.count <= 2 + UInt64.bitWidth - last.leadingZeroBitCount)
    }
  }

  @Test func bisection_ofWhatIsNowhere_findsNothing() {
    var bisection = Bisection(after: 0, through: 1000)
    while let number = bisection.next { bisection.note(number, isSo: false) }
    #expect(bisection.found == nil && bisection.isOver && bisection.probes.count == 1)
    #expect(Bisection(after: 7, through: 7).next == nil)
  }

  /// With or without snapshots, and with or without a final scan, each past state that is asked
  /// about is that of the plain model.
  @Test(arguments: 0..<UInt64(Campaign.size(8, long: 200)))
  func bisect_findsTheRecord(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<25 { try await history.step() }
    let snapshots = try SnapshotFolderTests.snapshots(of: &history, countMax: 6)
    let log = try history.store.log
    let last = history.plain.count
    for from in [snapshots, nil] {
      for scanMax in [0, 10] {
        let replay = try Replay(log, reducer: history.rules, at: 0, from: from)
        // Once the goal is reached, the condition stays true.
        let goal = Int.random(in: 1...last, using: &history.generator)
        var bisection = Bisection(after: 0, through: RecordNumber(last))
        let found = try replay.bisect(&bisection, scanMax: scanMax) { past in
          try Self.expect(past, &history)
          return past.position.number >= RecordNumber(goal)
        }
        #expect(found == RecordNumber(goal), "seed \(seed)")
      }
    }
    snapshots.close()
    await history.store.close()
  }

  /// Between two snapshots the replay mostly advances, since going back means starting over.
  @Test func bisect_seldomGoesBack() async throws {
    var history = try await ToyHistory<Leaderboard>(seed: 4)
    while history.plain.count < 1000 { try await history.step(upTo: 100) }
    let (log, last) = (try history.store.log, RecordNumber(history.plain.count))
    let replay = try Replay(log, reducer: history.rules, at: 0)
    var (backs, probes) = (0, 0)
    for goal in stride(from: 1, through: history.plain.count, by: 9) {
      try replay.advance(to: 0)
      var (bisection, place) = (Bisection(after: 0, through: last), last)
      _ = try replay.bisect(&bisection) { past in
        if past.position.number < place { backs += 1 }
        place = past.position.number
        return place >= RecordNumber(goal)
      }
      #expect(bisection.found == RecordNumber(goal))
      probes += bisection.probes.count
    }
    let searches = (history.plain.count + 8) / 9
    #expect(backs <= 4 * searches && probes <= 30 * searches, "\(backs) and \(probes)")
    await history.store.close()
  }

  /// An interrupted search resumes where it stopped.
  @Test func bisect_isResumable() async throws {
    struct Interrupted: Error {}
    var history = try await ToyHistory<Todo>(seed: 5)
    for _ in 0..<25 { try await history.step() }
    let replay = try history.store.replay(at: 0)
    let last = RecordNumber(history.plain.count)
    var bisection = Bisection(after: 0, through: last)
    var asked: [RecordNumber] = []
    while !bisection.isOver {
      var left = 2
      do {
        _ = try replay.bisect(&bisection) { past in
          guard left > 0 else { throw Interrupted() }
          left -= 1
          asked.append(past.position.number)
          return past.position.number >= 77
        }
      } catch is Interrupted {}
    }
    #expect(bisection.found == 77 && Set(asked).count == asked.count)
    await history.store.close()
  }

  private static func expect(_ replay: Replay, _ history: inout ToyHistory<Todo>) throws {
    let number = Int(replay.position.number.rawValue)
    for pane in history.allPanes(at: [number]).prefix(3) {
      let sight = try replay.views.sight(of: pane, history.name(of: pane))
      #expect(sight == history.plain.sight(of: pane, at: number), "\(pane) at \(number)")
    }
  }
}
