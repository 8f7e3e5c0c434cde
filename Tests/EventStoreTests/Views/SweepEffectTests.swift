import EventStore
import LMDB
import TestSupport
import Testing

/// The predicted effect of a sweep on a view, compared with its effect on rows.
@Suite struct SweepEffectTests {
  private enum Assignment: CaseIterable {
    case count, isRead, price

    var field: (index: Int, kind: FieldKind) {
      switch self {
      case .count: (0, .integer)
      case .isRead: (1, .boolean)
      case .price: (3, .double)
      }
    }

    func word(using random: inout SeededGenerator) -> UInt64? {
      if Int.random(in: 0..<4, using: &random) == 0 { return nil }
      switch self {
      case .count: return Letter.counts.randomElement(using: &random).map { UInt64(bitPattern: $0) }
      // Any value but zero is read as true.
      case .isRead: return UInt64.random(in: 0...2, using: &random)
      case .price: return Letter.prices.randomElement(using: &random)?.bitPattern
      }
    }
  }

  /// A prediction holds for all rows, and is made often enough to be useful.
  ///
  /// Takes over a second, since each pair of conditions is tried on many rows.
  @Test func effects_holdOfAllRows() throws {
    var tally = (updates: 0, clears: 0, unknown: 0)
    for seed in 0..<UInt64(Campaign.size(60, long: 3_000)) {
      var random = SeededGenerator(seed: seed)
      let rows = try (0..<60).map { try Letter.sample(id: "l\($0)", using: &random) }
      for _ in 0..<20 {
        let swept = Formula.sample(using: &random).condition
        let other = Formula.sample(depth: 1, using: &random).condition
        let isNarrower = Bool.random(using: &random)
        let plan = ViewPlan(
          ViewDefinition(
            "letters", of: Letter.all, where: isNarrower ? swept && other : other,
            orderedBy: [Letter.date.ascending]), seed: 0)
        let assignment = Assignment.allCases.randomElement(using: &random) ?? .count
        let (field, word) = (assignment.field, assignment.word(using: &random))
        let effect = SweepEffect(
          on: plan, of: NormalCondition(swept), field: field.index,
          to: word.map { FixedOrder.code(of: $0, field.kind) })
        let sweep = Sweep(
          ConditionProgram(NormalCondition(swept)), field: field.index, field.kind, to: word)
        try check(effect, of: sweep, on: plan, rows, "seed \(seed)")
        switch effect {
        case .updates: tally.updates += 1
        case .clears: tally.clears += 1
        case .unknown: tally.unknown += 1
        }
      }
    }
    #expect(tally.updates > 100 && tally.clears > 10 && tally.unknown > 100, "\(tally)")
  }

  private func check(
    _ effect: SweepEffect, of sweep: Sweep, on plan: ViewPlan, _ rows: [Row], _ comment: Comment
  ) throws {
    for row in rows {
      let swept = [sweep].swept(row.view, by: 0..<1) ?? row.view.bytes.array
      let (before, now) = (plan.matches(row.view), plan.matches(RowView(swept.raw)))
      switch effect {
      case .updates: #expect(before == now, comment)
      case .clears: #expect(!now || !before, comment)
      case .unknown: break
      }
    }
  }

  @Test func marking_allUnread_clearsTheUnread_andUpdatesTheOthers() {
    let unread = Letter.isRead == false
    func effect(on condition: Condition, _ order: SortField = Letter.date.ascending) -> SweepEffect
    {
      let view = ViewDefinition("view", of: Letter.all, where: condition, orderedBy: [order])
      return SweepEffect(
        on: ViewPlan(view, seed: 0), of: NormalCondition(unread), field: 1, to: 1)
    }
    #expect(effect(on: unread) == .clears)
    #expect(effect(on: unread && Letter.count > 3) == .clears)
    #expect(effect(on: .always) == .updates)
    #expect(effect(on: Letter.count > 3) == .updates)
    // The rows that are read become more.
    #expect(effect(on: Letter.isRead == true) == .unknown)
    // Rows without a value are not swept.
    #expect(effect(on: unread || Letter.isRead == nil) == .unknown)
    #expect(effect(on: .always, Letter.isRead.ascending) == .unknown)
  }
}
