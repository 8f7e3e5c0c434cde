import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// A plan gives the same answer for rows as Foundation gives for the objects in them.
@Suite struct PredicateTests {
  /// Takes a few seconds: this comparison is what keeps wrong rows out of lists.
  @Test(.feature(13), arguments: [1, 2, 3, 4] as [UInt64]) func random_agree(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    try expectAgreement(
      RandomPredicate<RichMessage>(leaves: [
        RandomPredicate.optional(\.subject, Drawn.text), RandomPredicate.parts(\.title),
        RandomPredicate.optional(\.messageType, Drawn.number),
        RandomPredicate.optional(\.sendDateUtc, Drawn.date),
        RandomPredicate.value(\.effectiveDate, Drawn.date),
        RandomPredicate.value(\.foldedSubject, Drawn.folded), RandomPredicate.truth(\.isRead),
        RandomPredicate.truth(\.isActive),
      ]), &dice)
    try expectAgreement(
      RandomPredicate<MailThread>(leaves: [
        RandomPredicate.texts(\.tagIDs), RandomPredicate.truth(\.isUnread),
        RandomPredicate.optional(\.snippet, Drawn.text), RandomPredicate.parts(\.subject),
        RandomPredicate.optional(\.lastMessageDate, Drawn.date),
        RandomPredicate.value(\.effectiveDate, Drawn.date), RandomPredicate.texts(\.addresses),
        RandomPredicate.value(\.id, Drawn.text),
      ]), &dice)
  }

  private func expectAgreement<Object: Model>(
    _ draw: RandomPredicate<Object>, _ dice: inout SeededGenerator
  ) throws {
    let objects = try (0..<60).map { _ in try Drawn.object(Object.self, &dice) }
    let rows = try objects.map { try $0.row() }
    var plannedCount = 0
    for _ in 0..<Campaign.size(1_250, long: 50_000) {
      let predicate = draw(&dice)
      let plan = try QueryPlan(where: predicate)
      if plan.residue == nil { plannedCount += 1 }
      let program = ConditionProgram(NormalCondition(plan.condition))
      for _ in 0..<3 {
        let index = Int.random(in: objects.indices, using: &dice)
        let expected = try? predicate.evaluate(objects[index])
        let row = rows[index]
        let isIn = program.matches(row.view)
        let isPlanRight = plan.residue == nil ? isIn == expected : expected != true || isIn
        let isRight = isPlanRight && plan.contains(row) == (expected == true)
        #expect(
          isRight, "seed \(dice.seed): \(predicate)\n\(plan.explanation)\n\(objects[index])")
        if !isRight { return }
      }
    }
    #expect(plannedCount > 100, "nearly nothing was planned")
  }
}
