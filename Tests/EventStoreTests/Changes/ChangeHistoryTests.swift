import EventStore
import Foundation
import TestSupport
import Testing

/// The laws of change sets hold for random histories of a list seen through random windows.
@Suite struct ChangeHistoryTests {
  /// Takes over a second for a hundred thousand steps; the two halves of the seeds run in parallel.
  @Test(.defect(.mailspring, 5), .defect(.realm, 1), .defect(.tableViews, 1), arguments: 0..<2)
  func laws(half: UInt64) throws {
    if let seed = ChangeHistory.chosenSeed {
      var history = ChangeHistory(seed: seed)
      if half == 0 { try history.run() }
      return
    }
    var tally = ChangeHistory.Tally()
    let seeds = UInt64(Campaign.size(900, long: 20_000))
    let clock = ContinuousClock()
    let time = try clock.measure {
      for seed in 0..<seeds / 2 {
        var history = ChangeHistory(seed: 2 * seed + half)
        try history.run()
        tally.add(history.tally)
      }
    }
    #expect(tally.steps >= 50_000)
    print(
      "Changes: \(tally.steps) steps, \(tally.deltas) change sets, \(tally.merges) merges in",
      "\(time); seeds \(half), \(half + 2) … \(seeds - 2 + half);",
      "TIDELINE_SEED=<seed> swift test --filter ChangeHistoryTests runs one again")
  }
}

/// One random history.
private struct ChangeHistory {
  struct Tally {
    var steps = 0
    var deltas = 0
    var merges = 0

    mutating func add(_ other: Tally) {
      steps += other.steps
      deltas += other.deltas
      merges += other.merges
    }
  }

  /// The seed of the one history that the environment asks for.
  static let chosenSeed = Campaign.chosenSeeds?.lowerBound

  private var random: SeededGenerator
  private let message: Comment
  private var moments: [PebbleList]
  private let windows: [ListWindow]
  private(set) var tally = Tally()

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    message = "TIDELINE_SEED=\(seed)"
    let idCount = Int.random(in: 1...(seed % 7 == 0 ? Pebble.idCount : 16), using: &random)
    moments = [PebbleList(idCount: idCount, using: &random)]
    var windows: [ListWindow] = []
    for _ in 0..<2 { windows.append(Self.window(idCount, &random)) }
    self.windows = windows
  }

  private static func window(_ count: Int, _ random: inout SeededGenerator) -> ListWindow {
    let hasTotal = Bool.random(using: &random)
    let lower = Bool.random(using: &random) ? 0 : Int.random(in: 0...count / 2, using: &random)
    guard random.next() % 4 != 0 else { return ListWindow(lowerBound: lower, hasTotal: hasTotal) }
    let upper = Int.random(in: lower...max(lower, count * 3 / 4), using: &random)
    return ListWindow(lowerBound: lower, upperBound: upper, hasTotal: hasTotal)
  }

  mutating func run() throws {
    let stepsMax = [1, 4, 16, 100][Int(random.next() % 4)]
    while moments.count <= 8 {
      var list = moments[moments.count - 1]
      let steps = Int.random(in: 1...stepsMax, using: &random)
      for _ in 0..<steps { list.step(using: &random) }
      tally.steps += steps
      moments.append(list)
    }
    for window in windows { try expectLaws(window) }
  }

  private mutating func expectLaws(_ window: ListWindow) throws {
    let visible = moments.map { rows(of: $0, in: window) }
    var all: [ChangeSet] = []
    for index in 1..<moments.count {
      let change = expectDelta(index - 1, index, visible, window)
      try expectTable(change, visible[index - 1], visible[index])
      expectApplied(change, visible[index - 1], visible[index])
      all.append(change)
    }
    while all.count > 1 {
      let place = Int.random(in: 0..<all.count - 1, using: &random)
      let merged = all[place].merging(all[place + 1])
      try expectMerged(merged, visible, window)
      all.replaceSubrange(place...place + 1, with: [merged])
    }
  }

  private func rows(of list: PebbleList, in window: ListWindow) -> [Row] {
    let order = list.order
    let first = min(window.lowerBound, order.count)
    return order[first..<first + window.count(of: order.count)].map { key in
      Pebble.rows[key.id][list.contents[key.id]]
    }
  }

  /// Expects the journal's net to give the change set of the two lists, and returns that.
  private mutating func expectDelta(
    _ old: Int, _ new: Int, _ visible: [[Row]], _ window: ListWindow
  ) -> ChangeSet {
    tally.deltas += 1
    var source = PebbleSource(moments[new], since: moments[old])
    var delta = ListDelta(moments[new].net(since: moments[old], using: &random), in: source)
    let change = delta.changeSet(
      in: window, from: Position.samples[old], to: Position.samples[new], reading: &source)
    let expected = expected(old, new, visible, window)
    #expect(change == (expected.isEmpty ? nil : expected), message)
    return expected
  }

  private func expected(
    _ old: Int, _ new: Int, _ visible: [[Row]], _ window: ListWindow
  ) -> ChangeSet {
    FullDiff.changeSet(
      visible[old], visible[new], from: Position.samples[old], to: Position.samples[new],
      oldTotal: window.hasTotal ? moments[old].order.count : nil,
      newTotal: window.hasTotal ? moments[new].order.count : nil)
  }

  /// Expects a table to accept the change and show the new rows.
  private mutating func expectTable(
    _ change: ChangeSet, _ old: [Row], _ new: [Row]
  ) throws {
    var table = TableModel(section: 3, rows: old)
    let movesArePairs = Bool.random(using: &random)
    let batches = try #require(change.batchUpdates(inSection: 3, movesArePairs: movesArePairs))
    #expect(throws: Never.self, message) { try table.perform(batches, rows: new) }
    #expect(table.cells == new, message)
  }

  private func expectApplied(_ change: ChangeSet, _ old: [Row], _ new: [Row]) {
    let list = change.applying(to: RowList(old))
    list.tree.checkInvariants()
    #expect(list == RowList(new), message)
    #expect(Array(list) == new, message)
  }

  /// Expects changes merged in any order to equal the change from the first list to the last.
  private mutating func expectMerged(
    _ merged: ChangeSet, _ visible: [[Row]], _ window: ListWindow
  ) throws {
    tally.merges += 1
    let (old, new) = (Int(merged.from.number.rawValue), Int(merged.to.number.rawValue))
    let expected = expected(old, new, visible, window)
    #expect(merged == expected, message)
    merged.checkInvariants()
    guard random.next() % 64 == 0 else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try encoder.encode(merged)
    #expect(try encoder.encode(expected) == text, message)
    #expect(try JSONDecoder().decode(ChangeSet.self, from: text) == merged, message)
  }
}
