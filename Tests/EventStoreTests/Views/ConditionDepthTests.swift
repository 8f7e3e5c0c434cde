import EventStore
import TestSupport
import Testing

/// How deeply conditions nest.
@Suite struct ConditionDepthTests {
  private func nested(_ depth: Int) -> Condition {
    (1..<depth).reduce(Letter.isRead == true) { inner, level in
      level % 2 == 0 ? inner && Letter.count == Int64(level) : inner || Letter.count == Int64(level)
    }
  }

  @Test func condition_thatIsAsDeepAsMayBe() {
    let condition = nested(Condition.depthMax)
    #expect(condition.depth == Condition.depthMax)
    let view = ViewDefinition("deep", of: Letter.all, where: condition)
    #expect(view.planHash == ViewDefinition("again", of: Letter.all, where: condition).planHash)
    let normal = NormalCondition(condition)
    #expect(NormalCondition(normal.bytes, on: Letter.all) == normal)
  }

  @Test func chain_isNotDeep() {
    let all = (0..<2_000).reduce(Condition.always) { $0 && Letter.count == Int64($1) }
    #expect(all.depth == 2)
    #expect((!all || all).depth == 4)
  }

  @Test func bytes_ofWhatIsDeeper_areNone() {
    // A conjunction of one part, within another, and so on.
    for depth in [Condition.depthMax, 50_000] {
      let bytes = Array(repeating: [4, 1, 0, 0, 0] as [UInt8], count: depth).joined() + [2]
      #expect(NormalCondition(bytes, on: Letter.all) == nil)
    }
  }
}
