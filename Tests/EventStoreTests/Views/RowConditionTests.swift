import EventStore
import TestSupport
import Testing

/// Conditions that are asked of rows at hand.
@Suite struct RowConditionTests {
  @Test func row_meetsWhatViewsHave() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let condition = Formula.sample(using: &random).condition
      let plan = ViewPlan(ViewDefinition("letters", of: Letter.all, where: condition), seed: 0)
      for _ in 0..<10 {
        let row = try Letter.sample(id: "l", using: &random)
        #expect(row.meets(condition) == plan.matches(row.view), "seed \(seed): \(condition)")
      }
    }
  }

  @Test func tests_areCountedInNormalForm() {
    #expect(Condition.always.testCount == 0)
    #expect((Letter.count == 3 && Letter.count == 3).testCount == 1)
    #expect((Letter.count == 3 || !(Letter.title == "a")).testCount == 2)
    #expect(ViewDefinition.testCountMax == 1_000)
  }

  @Test func explanation_isThePlans() {
    let definition = ViewDefinition("letters", of: Letter.all, orderedBy: [Letter.count.ascending])
    #expect(definition.explanation == ViewPlan(definition, seed: 1).explanation)
  }
}
