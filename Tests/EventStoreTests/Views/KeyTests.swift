import EventStore
import LMDB
import TestSupport
import Testing

/// Keys compared with an order made of Swift's own comparisons.
@Suite struct KeyTests {
  /// Compares two values, with `nil` first and NaN last.
  private static func compare<Value: Comparable>(_ a: Value?, _ b: Value?) -> Int {
    guard let a, let b else { return a == nil ? (b == nil ? 0 : -1) : 1 }
    if a == b { return 0 }
    if let a = a as? Double, let b = b as? Double, a.isNaN || b.isNaN {
      return a.isNaN ? (b.isNaN ? 0 : 1) : -1
    }
    return a < b ? -1 : 1
  }

  /// A way to sort letters, and the comparison that it stands for.
  private struct Order {
    let sort: SortField
    let compare: (Row, Row) -> Int

    init(_ sort: SortField, _ compare: @escaping (Row, Row) -> Int) {
      self.sort = sort
      self.compare = sort.direction == .ascending ? compare : { -compare($0, $1) }
    }
  }

  private static func orders(_ direction: SortField.Direction) -> [Order] {
    func order(_ field: FieldDeclaration, _ compare: @escaping (Row, Row) -> Int) -> Order {
      Order(SortField(field, direction), compare)
    }
    return [
      order(Letter.count.declaration) { compare($0[Letter.count], $1[Letter.count]) },
      order(Letter.isRead.declaration) {
        compare($0[Letter.isRead].map { $0 ? 1 : 0 }, $1[Letter.isRead].map { $0 ? 1 : 0 })
      },
      order(Letter.date.declaration) { compare($0[Letter.date], $1[Letter.date]) },
      order(Letter.price.declaration) { compare($0[Letter.price], $1[Letter.price]) },
      order(Letter.title.declaration) {
        compare($0[Letter.title].map(NormalText.init), $1[Letter.title].map(NormalText.init))
      },
      order(Letter.folder.declaration) {
        compare($0[Letter.folder].map(NormalText.init), $1[Letter.folder].map(NormalText.init))
      },
      order(Letter.rank.declaration) {
        compare($0[Letter.rank]?.rawValue, $1[Letter.rank]?.rawValue)
      },
    ]
  }

  private static func sign(_ order: Int) -> Int { order.signum() }

  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 2_000)))
  func order_isThatOfValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let all = (Self.orders(.ascending) + Self.orders(.descending)).shuffled(using: &random)
    let orders = Array(all.prefix(.random(in: 0..<7, using: &random)))
    var definition = ViewDefinition("letters", of: Letter.all, orderedBy: orders.map(\.sort))
    if Bool.random(using: &random) { definition = definition.grouped(by: Letter.tags) }
    let plan = ViewPlan(definition, seed: seed)
    let ids = ["a", "b", "é", "e\u{301}", "abcdefgh", "abcdefghi", "Z"]
    let rows = try (0..<25).map { _ in
      try Letter.sample(id: ids.randomElement(using: &random) ?? "", using: &random)
    }
    for a in rows {
      for b in rows { expectOrder(a, b, orders, plan, "seed \(seed)") }
    }
  }

  private func expectOrder(
    _ a: Row, _ b: Row, _ orders: [Order], _ plan: ViewPlan, _ message: String
  ) {
    let byIDs = a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
    let ids = a.id.utf8.elementsEqual(b.id.utf8) ? 0 : byIDs ? -1 : 1
    let expected = orders.lazy.map { $0.compare(a, b) }.first { $0 != 0 } ?? ids
    let (left, right) = (plan.key(of: a.view, in: 5), plan.key(of: b.view, in: 5))
    let keys = Self.sign(plan.compare(left.bytes.raw, right.bytes.raw))
    let rows = Self.sign(plan.compare(a.view, b.view))
    let mixed = Self.sign(plan.compare(a.view, in: 5, with: right.bytes.raw))
    let isSame = (keys, rows, mixed) == (expected, expected, expected)
    let words = (plan.words(of: a.view, in: 5), plan.words(of: b.view, in: 5))
    let order = words.0.compare(with: words.1)
    let isRead = plan.words(in: left.bytes.raw) == words.0
    let isBefore = plan.precedes(left, right) == (expected < 0)
    // One expectation covers all, since the pairs are many.
    let isRight = isSame && isRead && isBefore && (order == 0 || order == expected)
    #expect(isRight, "\(message): \(a.id), \(b.id) by \(plan.definition.order)")
  }

  /// Another group is another place, which comes before all else.
  @Test func group_isTheFirstWord() throws {
    let definition = ViewDefinition("a", of: Letter.all, orderedBy: [Letter.count.descending])
    let plan = ViewPlan(definition.grouped(by: Letter.folder), seed: 1)
    let row = try Row("a", in: Letter.all) { $0[Letter.count] = 3 }
    let words = plan.words(of: row.view, in: 9)
    #expect(plan.wordCount == 2)
    #expect([words.first, words.second] == [9, ~(3 ^ 1 << 63)])
    #expect(plan.precedes(plan.key(of: row.view, in: 1), plan.key(of: row.view, in: 2)))
  }

  @Test(arguments: [(0, false, 1), (0, true, 2), (2, true, 3), (4, false, 4), (4, true, 4)])
  func wordCount(count: Int, isGrouped: Bool, expected: Int) {
    let order = [
      Letter.count.ascending, Letter.date.ascending, Letter.title.ascending,
      Letter.price.descending,
    ]
    var definition = ViewDefinition("a", of: Letter.all, orderedBy: Array(order.prefix(count)))
    if isGrouped { definition = definition.grouped(by: Letter.tags) }
    #expect(ViewPlan(definition, seed: 0).wordCount == expected)
  }

  /// A key does not repeat what its words decide.
  @Test func tail_isTheIDWhereWordsDecide() throws {
    let order = [Letter.date.descending, Letter.folder.ascending, Letter.title.ascending]
    let plan = ViewPlan(ViewDefinition("a", of: Letter.all, orderedBy: order), seed: 0)
    let row = try Row("id", in: Letter.all) {
      $0[Letter.date] = Timestamp(rawValue: 5)
      $0[Letter.folder] = "inbox"
    }
    #expect(plan.key(of: row.view, in: 0).bytes.count == 24 + 2)
    let longer = try Row("id", in: Letter.all) { $0[Letter.folder] = "inbox/of/all" }
    #expect(plan.key(of: longer.view, in: 0).bytes.count == 24 + 2 + 12 + 2 + 2)
  }
}
