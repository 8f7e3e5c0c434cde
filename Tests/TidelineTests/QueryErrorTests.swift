import EventStore
import Foundation
import Testing
import Tideline

/// A query that can't be planned is refused, and the error says what to do.
@Suite struct QueryErrorTests {
  private func expect<Object: Model>(
    _ error: QueryError, _ description: String, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = []
  ) {
    #expect(throws: error) { try QueryPlan(where: predicate, sort: sort) }
    #expect(error.description == description)
  }

  @Test func order_byWhatNoFieldHolds() {
    expect(
      .unordered(property: "\\MailThread.id"),
      "Rows can't be sorted by \\MailThread.id. Use a property stored in a single-value field.",
      sort: [SortDescriptor(\MailThread.id, comparator: .lexical)])
    expect(
      .unordered(property: "a computed property of Tag"),
      "Rows can't be sorted by a computed property of Tag. "
        + "Use a property stored in a single-value field.",
      sort: [SortDescriptor(\InboxTag.name, comparator: .lexical)])
  }

  @Test func order_byTooMuch() {
    let sort = Array(repeating: SortDescriptor(\RichMessage.sendDateUtc), count: 9)
    expect(
      .tooManyDescriptors(count: 9, limit: 8),
      "The order has 9 descriptors; the limit is 8. Remove some.", sort: sort)
    #expect(throws: Never.self) { try QueryPlan(sort: Array(sort.dropLast())) }
  }

  @Test func order_byLocale() throws {
    #expect(
      QueryError.locale(property: "subject", folded: "foldedSubject").description
        == "The order by subject depends on the locale. Use SortDescriptor(\\.foldedSubject).")
    #expect(
      QueryError.locale(property: "url", folded: nil).description
        == "The order by url depends on the locale. Use the comparator .lexical.")
    #expect(
      MailThread.localeError("subject") == .locale(property: "subject", folded: "foldedSubject"))
    #expect(RichMessage.localeError("url") == .locale(property: "url", folded: nil))
    // A descriptor encoded on a Mac; a Foundation without locales refuses to decode it.
    let json = Data(#"{"options":833,"isLocalized":true,"order":true}"#.utf8)
    let decoder = JSONDecoder()
    guard let localized = try? decoder.decode(String.StandardComparator.self, from: json) else {
      return
    }
    expect(
      .locale(property: "subject", folded: "foldedSubject"),
      "The order by subject depends on the locale. Use SortDescriptor(\\.foldedSubject).",
      sort: [SortDescriptor(\MailThread.subject, comparator: localized)])
  }

  @Test func predicate_ofTooManyTests() {
    let dates = (0..<501).map { Date(timeIntervalSince1970: Double($0)) }
    let many = Predicate<RichMessage> { message in
      all(
        dates.map { date in
          let name = Expressions.build_Arg(String?.some("\(date)"))
          let isNamed = Expressions.build_Equal(
            lhs: Expressions.build_KeyPath(root: message, keyPath: \.name), rhs: name)
          let isLater = Expressions.build_Comparison(
            lhs: Expressions.build_KeyPath(root: message, keyPath: \.effectiveDate),
            rhs: Expressions.build_Arg(date), op: .greaterThan)
          return or(isNamed, isLater)
        })
    }
    expect(
      .tooManyTests(count: 1003, limit: 1000),
      "The predicate has 1003 tests; the limit is 1000. Use a collection's contains.", where: many)
  }

  /// Planning an equality of Booleans needs both sides twice, so each level doubles the tests.
  @Test(.timeLimit(.minutes(5))) func predicate_ofEqualitiesWithinEachOther() {
    let deep = Predicate<RichMessage> { message in
      let isRead = Expressions.build_KeyPath(root: message, keyPath: \.isRead)
      var truth: Truth = isRead
      for _ in 0..<40 { truth = same(truth, isRead) }
      return truth
    }
    expect(
      .tooManyTests(count: 65_537, limit: 1000),
      "The predicate has 65537 tests; the limit is 1000. Use a collection's contains.", where: deep)
  }

  /// Nested parts: an unbalanced chain, and one too deep for any condition.
  @Test(arguments: [126, 127, 255, 256, 1_000])
  func predicate_whosePartsLieDeep(depth: Int) throws {
    let chain = Predicate<RichMessage> { message in
      let isRead = Expressions.build_KeyPath(root: message, keyPath: \.isRead)
      var truth: Truth = isRead
      for level in 1..<depth { truth = level % 2 == 0 ? and(truth, isRead) : or(truth, isRead) }
      return truth
    }
    guard depth > 126 else {
      #expect(try QueryPlan(where: chain).residue == nil)
      return
    }
    let limit = depth < 256 ? 126 : 256
    expect(
      .tooDeep(limit: limit),
      "The predicate is nested too deeply; the limit is \(limit). "
        + "Use chains of && and ||.", where: chain)
  }

  /// Returns a conjunction of minimal depth.
  private func all(_ truths: [Truth]) -> Truth {
    guard truths.count > 1 else { return truths[0] }
    let middle = truths.count / 2
    let left = all(Array(truths[..<middle]))
    let right = all(Array(truths[middle...]))
    return and(left, right)
  }

  @Test func choice_ofTooManyValues() throws {
    let names = (0...10_000).map { String?.some("\($0)") }
    let fewer = Array(names.dropLast())
    let plan = try QueryPlan<RichMessage>(where: #Predicate { names.contains($0.name) })
    #expect(plan.reasons == ["choice of name"])
    #expect(
      try QueryPlan<RichMessage>(where: #Predicate { fewer.contains($0.name) }).residue == nil)
  }

  /// The full predicate is evaluated only for rows whose set may be non-empty.
  @Test func isEmpty_ofASet_isNarrowed() throws {
    let hasFiles = #Predicate<Message> { !$0.fileIDs.isEmpty }
    let plan = try QueryPlan<Message>(where: hasFiles)
    let reason = "isEmpty of fileIDs, of which rows may have an empty set"
    #expect(plan.reasons == [reason] && plan.condition != (Message.scope && .always))
    var message = Message(id: "a", account: 1)
    let program = ConditionProgram(NormalCondition(plan.condition))
    let empty = try message.row()
    let isAsked = program.matches(empty.view)
    #expect(!isAsked)
    message.fileIDs = ["f"]
    let full = try message.row()
    #expect(plan.contains(full) && !plan.contains(empty))
    #expect(throws: QueryError.unplanned(reasons: [reason])) {
      try DeclaredView("files", of: Message.self, where: hasFiles)
    }
  }

  @Test func field_thatOnlyRowsKnow() throws {
    let plan = try QueryPlan<MailThread>(where: #Predicate { $0.id == "a" })
    #expect(plan.condition == (MailThread.scope && .always))
    #expect(plan.residue != nil)
    #expect(plan.reasons == ["\\MailThread.id, which no field holds"])
    #expect(plan.contains(try MailThread(id: "a", account: 1).row()))
    #expect(!plan.contains(try MailThread(id: "b", account: 1).row()))
  }
}
