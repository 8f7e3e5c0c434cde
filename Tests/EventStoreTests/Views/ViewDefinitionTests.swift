import EventStore
import TestSupport
import Testing

/// What a definition may contain, and how its plan explains itself.
@Suite struct ViewDefinitionTests {
  @Test func explanation() {
    let definition = ViewDefinition(
      "unread", of: Letter.all,
      where: Letter.isRead == false && Letter.date > Timestamp(rawValue: 0)
        && (Letter.tags.contains("inbox") || !Letter.title.hasPrefix("Re:")),
      orderedBy: [Letter.date.descending, Letter.title.ascending])
    let plan = ViewPlan(definition.grouped(by: Letter.tags), seed: 1)
    #expect(
      plan.explanation == """
        view unread, version 1, plan 083d3aa077726a13
        rows of letters where isRead == false && date >= 1970-01-01T00:00:00.001Z && \
        (title does not begin with "Re:" || tags intersects ["inbox"])
        a list for each of tags
        ordered by date descending, then title ascending, then id
        keys of 3 words: group, date, title; then what these leave open
        concerned by changes of isRead, date, title, tags
        """)
  }

  @Test func groups_withinOthers() throws {
    let whole = ViewDefinition("a", of: Letter.all).grouped(by: Letter.tags)
    let divided = whole.within(Letter.count)
    #expect(divided.planHash != whole.planHash)
    let plan = ViewPlan(divided, seed: 1)
    #expect(plan.groupFields == 1 << 7 | Letter.count.declaration.bit)
    #expect(plan.explanation.contains("a list for each of tags and count\n"))
    func groups(_ count: Int64?) throws -> Set<UInt64> {
      let row = try Row("x", in: Letter.all) { row in
        row[Letter.tags] = ["a", "b"]
        row[Letter.count] = count
      }
      var groups: [UInt64] = []
      plan.appendGroups(of: row.view, to: &groups)
      return Set(groups)
    }
    let two = Set(
      ["a", "b"].map { plan.word(of: ListName("a", group: .text($0), scope: 2)) })
    #expect(try groups(2) == two)
    #expect(two.count == 2)
    let all = try [2, 3, nil].flatMap { try groups($0) }
    #expect(Set(all).count == 6)
  }

  @Test func explanation_ofOtherConditions() {
    func text(_ condition: Condition) -> Substring? {
      let definition = ViewDefinition("numbers", of: Letter.all, where: condition)
      return ViewPlan(definition, seed: 1).explanation.split(separator: "\n")[1]
        .split(separator: " where ").last
    }
    let counts = Letter.count.isOne(of: [1, 2, 5])
    #expect(text(.always) == "true")
    #expect(text(Letter.count != 5) == "count != 5")
    #expect(text(Letter.price >= 1.5) == "price in 1.5...inf")
    #expect(text(Letter.price < 1.5) == "price in -inf...1.4999999999999998")
    #expect(text(Letter.folder > "m") == "folder > \"m\"")
    #expect(text(Letter.body != nil) == "body != nil")
    #expect(text(Letter.isRead == nil) == "isRead == nil")
    #expect(text(counts) == "count in [1...2, 5]")
    #expect(text(Letter.folder.isOne(of: ["b", "a"])) == "folder in [\"a\", \"b\"]")
    #expect(text(!counts) == "count not in [1...2, 5]")
    #expect(text(!(Letter.count > 5)) == "count not >= 6")
    #expect(text(Letter.body == nil) == "body == nil")
    #expect(text(!(Letter.folder > "m")) == "folder not > \"m\"")
    #expect(text(!Letter.folder.isOne(of: ["b", "a"])) == "folder not in [\"a\", \"b\"]")
    #expect(text(!Letter.tags.contains("inbox")) == "tags has none of [\"inbox\"]")
  }

  @Test func fields_thatDecide() {
    let definition = ViewDefinition(
      "a", of: Letter.all, where: Letter.isRead == false || Letter.rank == .high,
      orderedBy: [Letter.date.descending])
    let plan = ViewPlan(definition.grouped(by: Letter.tags), seed: 1)
    #expect(plan.memberFields == 1 << 63 | 2 as UInt64)
    #expect(plan.groupFields == 1 << 7)
    #expect(plan.keyFields == 1 << 2)
    #expect(plan.fields == plan.memberFields | plan.groupFields | plan.keyFields)
  }

  /// A condition that normalization shortens depends on fewer fields.
  @Test func fields_thatDecideNothing() {
    let condition = Letter.isRead == false && (Letter.count == 1 || .always)
    let plan = ViewPlan(ViewDefinition("a", of: Letter.all, where: condition), seed: 1)
    #expect(plan.fields == 1 << 1)
  }

  @Test func misuse_ofFields() async {
    await #expect(processExitsWith: .failure) {
      let other = Field<String>("other", 5)
      _ = ViewDefinition("a", of: Letter.all, where: other == "x")
    }
    await #expect(processExitsWith: .failure) {
      _ = ViewDefinition("a", of: Letter.all, where: Letter.parent == RowID(rawValue: 1))
    }
    await #expect(processExitsWith: .failure) {
      _ = ViewDefinition("a", of: Letter.all).grouped(by: Letter.body)
    }
  }

  @Test func misuse_ofOrders() async throws {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = ViewDefinition("odd", of: Letter.all, orderedBy: [Letter.tags.ascending])
    }
    let message = String(decoding: try #require(end).standardErrorContent, as: UTF8.self)
    #expect(message.contains("view odd can't be ordered by tags, which holds texts"))
    await #expect(processExitsWith: .failure) {
      let order = Array(repeating: Letter.date.ascending, count: ViewDefinition.orderCountMax + 1)
      _ = ViewDefinition("a", of: Letter.all, orderedBy: order)
    }
  }

  @Test func misuse_ofGroups() async {
    await #expect(processExitsWith: .failure) {
      let definition = ViewDefinition("a", of: Letter.all).grouped(by: Letter.tags)
      _ = ViewPlan(definition, seed: 1).word(of: ListName("a", group: .number(5)))
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

extension FieldDeclaration {
  fileprivate var bit: UInt64 { 1 << UInt64(number - 1) }
}
