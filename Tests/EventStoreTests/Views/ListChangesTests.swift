import EventStore
import LMDB
import TestSupport
import Testing

/// The effect of a row's change on lists, compared with the lists it is in before and after.
@Suite struct ListChangesTests {
  /// The change of a row's place in one list.
  private struct Outcome: Hashable {
    let group: UInt64
    let old: SortKey?
    let new: SortKey?
  }

  /// Returns the groups of a row, from its values.
  private func groups(_ row: Row, _ plan: ViewPlan) -> [UInt64] {
    switch plan.definition.grouping {
    case nil: [0]
    case Letter.tags.declaration: (row[Letter.tags] ?? []).map { plan.word(ofGroup: $0) }
    case Letter.title.declaration: [plan.word(ofGroup: row[Letter.title])]
    case Letter.isRead.declaration: [plan.word(ofGroup: row[Letter.isRead])]
    default: [plan.word(ofGroup: row[Letter.count])]
    }
  }

  private func lists(_ row: Row?, _ formula: Formula, _ plan: ViewPlan) -> [UInt64: SortKey] {
    guard let row, formula.meets(row) else { return [:] }
    let keys = groups(row, plan).map { ($0, plan.key(of: row.view, in: $0)) }
    return Dictionary(keys) { first, _ in first }
  }

  private func plan(_ formula: Formula, using random: inout SeededGenerator) -> ViewPlan {
    let sorts = [
      Letter.date.descending, Letter.title.ascending, Letter.count.ascending,
      Letter.price.descending, Letter.folder.descending,
    ]
    let order = Array(sorts.shuffled(using: &random).prefix(.random(in: 0..<4, using: &random)))
    let definition = ViewDefinition(
      "letters", of: Letter.all, where: formula.condition, orderedBy: order)
    let fields = [
      Letter.tags.declaration, Letter.title.declaration, Letter.isRead.declaration,
      Letter.count.declaration,
    ]
    guard let field = fields.randomElement(using: &random), Bool.random(using: &random) else {
      return ViewPlan(definition, seed: 1)
    }
    return ViewPlan(definition.grouped(by: field), seed: random.next())
  }

  /// Returns the row with the values of some fields changed.
  private func changed(_ row: Row, using random: inout SeededGenerator) throws -> Row {
    let other = try Letter.sample(id: row.id, using: &random)
    let fields = UInt64.random(in: 0..<512, using: &random) & random.next()
    let id = Int.random(in: 0..<20, using: &random) == 0 ? "renamed" : row.id
    func pick<Value>(_ field: Field<Value>) -> Value? {
      fields >> UInt64(field.number - 1) & 1 == 1 ? other[field] : row[field]
    }
    return try Row(id, in: Letter.all) {
      $0[Letter.count] = pick(Letter.count)
      $0[Letter.isRead] = pick(Letter.isRead)
      $0[Letter.date] = pick(Letter.date)
      $0[Letter.price] = pick(Letter.price)
      $0[Letter.title] = pick(Letter.title)
      $0[Letter.folder] = pick(Letter.folder)
      $0[Letter.tags] = pick(Letter.tags)
    }
  }

  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 2_000)))
  func changes_areThoseOfLists(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var changes = ListChanges()
    for _ in 0..<10 {
      let formula = Formula.sample(depth: 1, using: &random)
      let plan = plan(formula, using: &random)
      for _ in 0..<10 {
        let before = try Letter.sample(id: "l", using: &random)
        let after = try changed(before, using: &random)
        let isCreated = Int.random(in: 0..<6, using: &random) == 0
        let isDeleted = Int.random(in: 0..<6, using: &random) == 0
        add(isCreated ? nil : before, isDeleted ? nil : after, plan, &changes, using: &random)
        expect(
          changes, lists(isCreated ? nil : before, formula, plan),
          lists(isDeleted ? nil : after, formula, plan), "seed \(seed)")
      }
    }
  }

  private func add(
    _ before: Row?, _ after: Row?, _ plan: ViewPlan, _ changes: inout ListChanges,
    using random: inout SeededGenerator
  ) {
    changes.removeAll()
    switch (before, after) {
    case (nil, nil): changes.add(before: nil, after: nil, in: plan)
    case (let before?, nil): changes.add(before: before.view, after: nil, in: plan)
    case (nil, let after?): changes.add(before: nil, after: after.view, in: plan)
    case (let before?, let after?):
      let exact = after.view.changes(from: before.view, Letter.all.shape)
      let touched = Bool.random(using: &random) ? exact : .max
      changes.add(before: before.view, after: after.view, touched: touched, in: plan)
    }
  }

  private func expect(
    _ changes: ListChanges, _ old: [UInt64: SortKey], _ new: [UInt64: SortKey],
    _ message: Comment
  ) {
    func key(_ place: Range<Int>) -> SortKey? {
      place.isEmpty ? nil : SortKey(bytes: changes.keys.bytes(at: place).array)
    }
    let found = changes.changes.map { Outcome(group: $0.group, old: key($0.old), new: key($0.new)) }
    let expected = Set(old.keys).union(new.keys)
      .map { Outcome(group: $0, old: old[$0], new: new[$0]) }
      .sorted { $0.group < $1.group }
    #expect(found == expected, message)
    let updates = changes.changes.map(\.isUpdate)
    #expect(updates == expected.map { $0.old == $0.new }, message)
  }
}

extension ViewPlan {
  fileprivate func word(ofGroup value: (some FieldValue)?) -> UInt64 {
    word(of: ListName(definition.name, group: ListName.Group(value)))
  }
}
