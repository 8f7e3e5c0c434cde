package import EventStore

/// A view's definition, and its equivalent in closures over plain values.
package struct PlainView<Item: PlainItem>: Sendable {
  /// The definition for the engine.
  package let definition: ViewDefinition
  private let condition: PlainCondition<Item>
  private let order: [PlainOrder<Item>]
  private let grouping: PlainGrouping<Item>?

  /// Whether the view has groups.
  package var isGrouped: Bool { grouping != nil }

  /// The view's name.
  package var name: String { definition.name }

  /// A view of the items that meet a condition, in an order, optionally in groups.
  package init(
    _ name: String, of collection: RowCollection, where condition: PlainCondition<Item> = .always,
    orderedBy order: [PlainOrder<Item>] = [], groupedBy grouping: PlainGrouping<Item>? = nil
  ) {
    let ungrouped = ViewDefinition(
      name, of: collection, where: condition.condition, orderedBy: order.map(\.sort))
    definition = grouping.map { ungrouped.grouped(by: $0.field) } ?? ungrouped
    self.condition = condition
    self.order = order
    self.grouping = grouping
  }

  /// Returns the items of the view or of one of its groups, in its order.
  package func items(of all: some Sequence<Item>, in group: String?) -> [Item] {
    all.filter { belongs($0, to: group) }.sorted(by: precedes)
  }

  private func belongs(_ item: Item, to group: String?) -> Bool {
    guard condition.holds(item) else { return false }
    guard let grouping else { return true }
    return grouping.groups(item).contains { $0?.hasSameBytes(as: group) ?? (group == nil) }
  }

  private func precedes(_ a: Item, _ b: Item) -> Bool {
    for order in order {
      if order.precedes(a, b) { return true }
      if order.precedes(b, a) { return false }
    }
    return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
  }

  /// Returns the groups that have items, in byte order; for a view without groups, `nil` alone.
  package func groups(of all: some Sequence<Item>) -> [String?] {
    guard let grouping else { return [nil] }
    let groups = all.filter(condition.holds).flatMap(grouping.groups)
    let texts = Set(groups.compactMap { $0.map { Array($0.utf8) } })
      .sorted { $0.lexicographicallyPrecedes($1) }
    return texts.map { String(decoding: $0, as: UTF8.self) } + (groups.contains(nil) ? [nil] : [])
  }
}

/// A plain value with a row of its own.
package protocol PlainItem: Sendable {
  /// The row's id.
  var id: String { get }
  /// The row that the value must fold to.
  var row: Row { get }
}

/// A condition, and its equivalent as a closure.
package struct PlainCondition<Item: Sendable>: Sendable {
  /// The condition.
  package let condition: Condition
  /// Whether it holds.
  package let holds: @Sendable (Item) -> Bool

  /// A condition, and its equivalent as a closure.
  package init(_ condition: Condition, _ holds: @escaping @Sendable (Item) -> Bool) {
    self.condition = condition
    self.holds = holds
  }

  /// True for all items.
  package static var always: PlainCondition { PlainCondition(.always) { _ in true } }

  /// True if both conditions are.
  package static func && (left: PlainCondition, right: PlainCondition) -> PlainCondition {
    PlainCondition(left.condition && right.condition) { left.holds($0) && right.holds($0) }
  }

  /// True if at least one condition is.
  package static func || (left: PlainCondition, right: PlainCondition) -> PlainCondition {
    PlainCondition(left.condition || right.condition) { left.holds($0) || right.holds($0) }
  }

  /// True if the condition is not.
  package static prefix func ! (condition: PlainCondition) -> PlainCondition {
    PlainCondition(!condition.condition) { !condition.holds($0) }
  }
}

/// An order by one field, and its equivalent as a closure.
package struct PlainOrder<Item: Sendable>: Sendable {
  /// The order.
  package let sort: SortField
  /// Returns whether one item precedes another.
  package let precedes: @Sendable (Item, Item) -> Bool

  /// An order, and its equivalent as a closure.
  package init(_ sort: SortField, _ precedes: @escaping @Sendable (Item, Item) -> Bool) {
    self.sort = sort
    self.precedes = precedes
  }
}

/// A grouping of items, and its equivalent as a closure.
package struct PlainGrouping<Item: Sendable>: Sendable {
  /// The field.
  package let field: FieldDeclaration
  /// Returns the groups of an item.
  package let groups: @Sendable (Item) -> [String?]

  /// A grouping, and its equivalent as a closure.
  package init(_ field: FieldDeclaration, _ groups: @escaping @Sendable (Item) -> [String?]) {
    self.field = field
    self.groups = groups
  }
}

extension String {
  /// Returns whether both have the same bytes; equivalent texts may not.
  package func hasSameBytes(as other: String?) -> Bool {
    guard let other else { return false }
    return utf8.elementsEqual(other.utf8)
  }
}
