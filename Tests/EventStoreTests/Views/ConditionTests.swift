import EventStore
import LMDB
import TestSupport
import Testing

/// Conditions compared with what Swift says of the rows' values.
@Suite struct ConditionTests {
  private func plan(_ condition: Condition) -> ViewPlan {
    ViewPlan(ViewDefinition("letters", of: Letter.all, where: condition), seed: 0)
  }

  private func matches(_ plan: ViewPlan, _ row: Row) -> Bool { plan.matches(row.view) }

  private func matches(_ condition: Condition, _ row: [UInt8]) -> Bool {
    plan(condition).matches(RowView(row.raw))
  }

  private func rows(_ count: Int, using random: inout SeededGenerator) throws -> [Row] {
    try (0..<count).map { try Letter.sample(id: "l\($0)", using: &random) }
  }

  @Test(arguments: 0..<UInt64(Campaign.size(30, long: 3_000)))
  func matches_isThatOfValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = try rows(30, using: &random)
    for _ in 0..<20 {
      let formula = Formula.sample(using: &random)
      let plan = plan(formula.condition)
      for row in rows {
        #expect(matches(plan, row) == formula.meets(row), "seed \(seed): \(formula)")
      }
    }
  }

  @Test(arguments: 0..<UInt64(Campaign.size(50, long: 5_000)))
  func hash_isThatOfOtherWords(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let formula = Formula.sample(using: &random)
      let reworded = formula.reworded(using: &random)
      let plans = (plan(formula.condition), plan(reworded.condition))
      #expect(plans.0.hash == plans.1.hash, "seed \(seed): \(formula), \(reworded)")
      #expect(NormalCondition(formula.condition) == NormalCondition(reworded.condition))
    }
  }

  /// No row tells conditions with the same hash apart, and few have the same.
  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 2_000)))
  func hash_isNotThatOfOtherConditions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = try rows(60, using: &random)
    var answers: [UInt64: [Bool]] = [:]
    for _ in 0..<60 {
      let formula = Formula.sample(depth: 1, using: &random)
      let answer = rows.map(formula.meets)
      let hash = plan(formula.condition).hash
      #expect(answers[hash, default: answer] == answer, "seed \(seed): \(formula)")
      answers[hash] = answer
    }
    #expect(answers.count > 10, "seed \(seed)")
  }

  @Test func normalForm_ofEquivalents() {
    let (a, b) = (Letter.count, Letter.title)
    let same: [(Condition, Condition)] = [
      (a > 1 && a < 4, a.isOne(of: [2, 3])), (a >= 3, a > 2), (!(a == 1), a != 1),
      (a < 2 || a >= 2, a != nil), (a != nil && a == nil, .never), (a < .min, .never),
      (!(a != nil), a == nil), (a == 1 || a == 2 || a == 3, a >= 1 && a <= 3),
      (b == "x" || b == "y", b.isOne(of: ["y", "x", "y"])),
      (b != "x" && b != "y", !b.isOne(of: ["x", "y"])), (b.hasPrefix(""), b != nil),
      (b == "\u{212A}", b == "K"), (b > "x" && !(b > "x"), .never), (b.isOne(of: []), .never),
      (Letter.tags.contains("x") || Letter.tags.contains("y"), Letter.tags.intersects(["y", "x"])),
      (Letter.isRead == true || Letter.isRead == false, Letter.isRead != nil),
      (Letter.isRead != false, Letter.isRead == true || Letter.isRead == nil),
      (Letter.price == -0.0, Letter.price == 0), (Letter.price < .nan, .never),
      (.never || a == 1, a == 1), (.always && a == 1, a == 1), (.never && a == 1, .never),
    ]
    for (first, second) in same { #expect(plan(first).hash == plan(second).hash, "\(first)") }
    // For NaN neither is true, and for a missing value neither.
    #expect(plan(Letter.price < 1 || Letter.price >= 1).hash != plan(Letter.price != nil).hash)
    #expect(plan(!(a > 1)).hash != plan(a <= 1).hash)
    #expect(plan(Letter.tags.contains("x")).hash != plan(Letter.tags.contains("y")).hash)
    #expect(plan(a == 1).hash != plan(Letter.date == Timestamp(rawValue: 1)).hash)
  }

  @Test func rowThatIsNotPresent_meetsNothing() throws {
    let row = try Row("a", in: Letter.all)
    var bytes = row.view.bytes.array
    #expect(matches(.always, bytes))
    for flag in [RowFormat.Flag.absent, RowFormat.Flag.alias] {
      bytes[RowFormat.Offset.flags] = flag
      #expect(!matches(.always, bytes))
    }
  }

  @Test func chain_ofManyTests() throws {
    let values = (0..<ConditionProgram.stepCountMax).map { "\($0)" }
    let chain = values.reduce(Condition.never) { $0 || Letter.title.hasPrefix($1) }
    let row = try Row("a", in: Letter.all) { $0[Letter.title] = "999x" }
    #expect(matches(chain, row.view.bytes.array))
  }

  @Test func misuse() async {
    await #expect(processExitsWith: .failure) { _ = Letter.tags == ["a"] }
    await #expect(processExitsWith: .failure) {
      var condition = Condition.always
      for _ in 0..<Condition.depthMax { condition = !condition }
    }
    await #expect(processExitsWith: .failure) {
      let reference = TextReference(record: 1, field: 1, digest: 1)
      _ = Letter.body.isOne(of: [reference])
    }
    await #expect(processExitsWith: .failure) {
      let values = (0...ConditionProgram.stepCountMax).map { "\($0)" }
      let chain = values.reduce(Condition.never) { $0 || Letter.title.hasPrefix($1) }
      _ = ViewPlan(ViewDefinition("long", of: Letter.all, where: chain), seed: 0)
    }
  }
}
