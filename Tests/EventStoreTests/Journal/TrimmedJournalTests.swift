import EventStore
import TestSupport
import Testing
import ToyDomains

/// Wherever the journal of a history is trimmed, any old position gets exactly what happened since,
/// as if the journal had never been trimmed, or a reset.
///
/// Takes some seconds: each history is repeated for each point.
@Suite(.timeLimit(.minutes(20))) struct TrimmedJournalTests {
  private static let seeds = 0..<UInt64(Campaign.size(2, long: 40))

  @Test(arguments: seeds) func positions_getWhatHappened_orAReset(seed: UInt64) async throws {
    let count = Campaign.size(16, long: 40)
    let limits = (0...count).map { eventsMax in
      var limits = JournalLimits()
      (limits.blockBytesMax, limits.bytesMax, limits.eventsMax) = (1, .max, UInt64(eventsMax))
      return limits
    }
    try await expectExactOrReset(seed, count, limits) { count - Int($0.eventsMax) }
  }

  /// When bytes run out, streams are trimmed one by one, so lists and rows reach back to different
  /// points.
  @Test(arguments: seeds)
  func positions_whereEachStreamIsTrimmedAlone_getWhatHappened_orAReset(seed: UInt64) async throws {
    let count = Campaign.size(7, long: 12)
    // Two neighboring sizes differ by fewer bytes than the smallest block takes.
    let sizes = Array(stride(from: UInt64(0), through: UInt64(count) * 200, by: 30)) + [.max]
    let limits = sizes.map { bytesMax in
      var limits = JournalLimits()
      (limits.blockBytesMax, limits.bytesMax) = (1, bytesMax)
      return limits
    }
    try await expectExactOrReset(seed, count, limits) { _ in count }
  }

  /// Expects exact answers or resets under each of the limits, the last of which trims nothing.
  ///
  /// - Parameter floor: The event up to which the journal may have been trimmed.
  private func expectExactOrReset(
    _ seed: UInt64, _ count: Int, _ limits: [JournalLimits], floor: (JournalLimits) -> Int
  ) async throws {
    let tallies =
      seed % 2 == 0
      ? try await Self.tallies(Todo.self, seed, count, limits, floor)
      : try await Self.tallies(Leaderboard.self, seed, count, limits, floor)
    let resets = tallies.map(\.resets)
    print("journal trimmed, seed \(seed): \(tallies.map { "\($0.exact) and \($0.resets)" })")
    #expect(resets.last == 0, "seed \(seed): what is not trimmed has resets")
    #expect(resets.max() == resets.first, "seed \(seed): who keeps more tells less")
    #expect(Set(resets).count > count / 2, "seed \(seed): \(resets)")
    #expect(tallies.allSatisfy { $0.exact > 0 }, "seed \(seed): \(tallies)")
  }

  private static func tallies<T: Toy>(
    _: T.Type, _ seed: UInt64, _ count: Int, _ limits: [JournalLimits],
    _ floor: (JournalLimits) -> Int
  ) async throws -> [TrimTally] {
    var history = TrimmedHistory<T>(seed: seed, count: count)
    var tallies: [TrimTally] = []
    for limits in limits {
      do { tallies.append(try await history.tally(limits, floor: floor(limits))) } catch {
        throw Discrepancy("seed \(seed), \(limits): \(error)")
      }
    }
    return tallies
  }
}

/// The number of exact answers, and the number of resets.
private struct TrimTally {
  var (exact, resets) = (0, 0)
}

/// A history that is repeated in stores with different journal limits.
private struct TrimmedHistory<T: Toy> {
  private var happenings: [T.Model.Happening] = []
  private var history = PlainHistory(T.Model(views: T.views))
  private var panes: [Pane] = []

  /// Creates a history of `count` events, each of which changes a list.
  init(seed: UInt64, count: Int) {
    var generator = SeededGenerator(seed: seed)
    let mix = T.Mix.random(using: &generator)
    var model = T.Model(views: T.views)
    while happenings.count < count {
      let happening = mix.happening(using: &generator)
      var next = model
      _ = next.apply(happening, RecordNumber(rawValue: UInt64(happenings.count + 1)))
      guard Self.lists(of: &next) != Self.lists(of: &model) else { continue }
      happenings.append(happening)
      model = next
    }
    history.append(happenings)
    let windows = [ListWindow(upperBound: .max), ListWindow(upperBound: 3, hasTotal: true)]
    for view in model.definitions.map(\.name) {
      for group in model.groups(of: view).prefix(2) {
        panes += windows.map { Pane(view: view, group: group, window: $0) }
      }
    }
  }

  private static func lists(of model: inout T.Model) -> [[Row]] {
    let all = model.definitions.map(\.name).flatMap { view in
      model.groups(of: view).map { (view, $0) }
    }
    return all.map { model.rows(in: $0.0, group: $0.1) }
  }

  /// Appends the history, each event in its own frame, and asks about all positions, before and
  /// after reopening the store.
  mutating func tally(_ limits: JournalLimits, floor: Int) async throws -> TrimTally {
    let store = try await StoreUnderTest<T>(T.rules(T.views, version: 1), journal: limits)
    for happening in happenings {
      _ = try await store.append([[happening]])
      try await store.store.commitViews()
    }
    var tally = TrimTally()
    try await ask(store, floor, &tally)
    try await store.undergo(.reopening, missing: [])
    try await ask(store, floor, &tally)
    await store.close()
    return tally
  }

  private mutating func ask(
    _ store: StoreUnderTest<T>, _ floor: Int, _ tally: inout TrimTally
  ) async throws {
    for number in 0...happenings.count {
      let position = try await store.position(at: number)
      for pane in panes {
        let set = try await store.changes(of: pane, since: position)
        let isReset = try judge(set, of: pane, since: position)
        try Discrepancy.require(
          !isReset || number <= floor && number < happenings.count,
          "\(pane) is reset since \(number), though the journal has all since \(floor)")
        tally.resets += isReset ? 1 : 0
        tally.exact += isReset ? 0 : 1
      }
    }
  }

  /// Verifies an answer; returns whether it is a reset.
  private mutating func judge(
    _ set: ChangeSet?, of pane: Pane, since position: Position
  ) throws -> Bool {
    let old = history.sight(of: pane, at: position.index)
    let new = history.sight(of: pane, at: happenings.count)
    guard let set else {
      try Discrepancy.require(old == new, "\(pane) is said not to have changed")
      return false
    }
    let direct = old.changeSet(to: new, from: position, to: set.to)
    let whole = ChangeSet(from: position, to: set.to, reset: RowList(new.rows), total: new.total)
    try Discrepancy.require(
      set == (set.isReset ? whole : direct) && set.to.index == happenings.count,
      "\(pane), since \(position.number):\n\(set)\nnot\n\(direct)")
    return set.isReset
  }
}
