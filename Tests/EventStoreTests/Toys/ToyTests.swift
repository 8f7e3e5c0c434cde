import EventStore
import LMDB
import TestSupport
import Testing
import ToyDomains

/// The toys' own parts, without the engine.
@Suite struct ToyTests {
  @Test func todoHappenings_areWhatTheirRecordsSay() throws {
    try expectRoundTrips(TodoMix.random)
  }

  @Test func playerHappenings_areWhatTheirRecordsSay() throws {
    try expectRoundTrips(PlayerMix.random)
  }

  private func expectRoundTrips<Mix: ToyMix>(
    _ mix: (inout SeededGenerator) -> Mix
  ) throws {
    for seed in 0..<UInt64(50) {
      var generator = SeededGenerator(seed: seed)
      let mix = mix(&generator)
      for _ in 0..<100 {
        let happening = mix.happening(using: &generator)
        let payload = PayloadWriter.bytes { happening.write(to: &$0) }
        let read = try Mix.Happening(happening.kind, payload.raw)
        // NaN is equal to nothing, but is written as it was.
        let again = PayloadWriter.bytes { read.write(to: &$0) }
        #expect(read.kind == happening.kind && again == payload, "seed \(seed)")
      }
    }
  }

  /// Histories contain what is hard: all kinds, refusals, changing groups, equal and missing keys.
  @Test func todoHistories_haveAllThatIsHard() {
    var seen = Census()
    for seed in 0..<UInt64(10) {
      var generator = SeededGenerator(seed: seed)
      let mix = TodoMix.random(using: &generator)
      var timeline = Timeline(TodoModel(views: Todo.views))
      for _ in 0..<200 {
        timeline.append(mix.happening(using: &generator))
        seen.look(at: &timeline)
      }
    }
    #expect(seen.kinds.count == 17, "\(seen.kinds)")
    #expect(seen.refusals > 100 && seen.vanishedGroups > 20 && seen.equalKeys > 100, "\(seen)")
    #expect(seen.nilKeys > 100 && seen.moves > 20, "\(seen)")
  }

  @Test func model_atNumbers_isThatOfTheHistorySoFar() {
    var generator = SeededGenerator(seed: 7)
    var timeline = Timeline(TodoModel(views: Todo.views))
    var titles: [[Row]] = [timeline.model(at: 0).titles]
    for _ in 0..<300 {
      timeline.append(TodoMix().happening(using: &generator))
      titles.append(timeline.model(at: timeline.count).titles)
    }
    for (number, rows) in titles.enumerated() {
      #expect(timeline.model(at: number).titles == rows)
    }
  }
}

extension TodoModel {
  fileprivate var titles: [Row] {
    var model = self
    return model.rows(in: "titles", group: nil)
  }
}

/// What histories contained.
private struct Census {
  var kinds: Set<EventKind> = []
  var refusals = 0
  var vanishedGroups = 0
  var equalKeys = 0
  var nilKeys = 0
  var moves = 0
  private var tags: Set<String?> = []
  private var open: [Row] = []

  mutating func look(at timeline: inout Timeline<TodoModel>) {
    guard let last = timeline.happenings.last else { return }
    kinds.insert(last.kind)
    refusals = timeline.refused.last == timeline.count ? refusals + 1 : refusals
    var model = timeline.head
    let now = Set(model.groups(of: "tagged"))
    vanishedGroups += tags.subtracting(now).count
    tags = now
    let rows = model.rows(in: "open", group: nil)
    for (row, next) in zip(rows, rows.dropFirst()) {
      if row[Todo.due] == nil { nilKeys += 1 }
      if row[Todo.due] == next[Todo.due] { equalKeys += 1 }
    }
    let start = Position.samples[0]
    moves += FullDiff.changeSet(open, rows, from: start, to: start).edits.moves.count
    open = rows
  }
}
