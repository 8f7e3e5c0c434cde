import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Rows are ordered as the sort descriptors order the objects.
@Suite struct SortTests {
  private func expectOrder<Object: Model>(
    _ sort: [SortDescriptor<Object>], seed: UInt64 = 11
  ) throws {
    var dice = SeededGenerator(seed: seed)
    let plan = ViewPlan(try QueryPlan(sort: sort).view(named: "sorted"), seed: 1)
    let objects = try (0..<40).map { _ in try Drawn.object(Object.self, &dice) }
    let rows = try objects.map { try $0.row() }
    for (a, left) in zip(objects, rows) {
      for (b, right) in zip(objects, rows) {
        let expected = sort.lazy.map { $0.compare(a, b).rawValue }.first { $0 != 0 } ?? 0
        let found = plan.compare(left.view, right.view).signum()
        #expect(found == expected, "seed \(seed): \(sort)\n\(a)\n\(b)")
      }
    }
  }

  @Test(.feature(15)) func dates() throws {
    try expectOrder([SortDescriptor(\RichMessage.sendDateUtc)])
    try expectOrder([SortDescriptor(\RichMessage.sendDateUtc, order: .reverse)])
    try expectOrder([SortDescriptor(\MailThread.effectiveDate, order: .reverse)])
  }

  @Test func foldedTexts() throws {
    try expectOrder([SortDescriptor(\RichMessage.foldedSubject)])
    try expectOrder([SortDescriptor(\MailThread.foldedSubject, order: .reverse)])
  }

  @Test(.feature(15)) func severalFields() throws {
    try expectOrder([
      SortDescriptor(\RichMessage.messageType), SortDescriptor(\.endDateUtc, order: .reverse),
      SortDescriptor(\.foldedSubject),
    ])
  }

  /// Texts are ordered by the scalars of their NFC forms: Foundation's comparator without a locale
  /// agrees for plain texts, but need not for others.
  @Test func texts_lexically() throws {
    let sort = [SortDescriptor(\InboxTag.providedName, comparator: .lexical, order: .reverse)]
    #expect(try QueryPlan(sort: sort).order == [SortField(field("providedName"), .descending)])
    let plain = [SortDescriptor(\InboxTag.providedName, order: .forward)]
    #if os(Linux)
      #expect(try QueryPlan(sort: plain).order == [SortField(field("providedName"), .ascending)])
    #else
      #expect(throws: QueryError.locale(property: "providedName", folded: nil)) {
        try QueryPlan(sort: plain)
      }
    #endif
  }

  private func field(_ name: String) throws -> FieldDeclaration {
    try #require(InboxTag.collection.field(named: name))
  }

  @Test func comparator_directionIsTheDescriptors() throws {
    let backwards = String.StandardComparator(.lexical, order: .reverse)
    let sort = [SortDescriptor(\MailThread.subject, comparator: backwards)]
    #expect(try QueryPlan(sort: sort).order.map(\.direction) == [.descending])
  }
}
