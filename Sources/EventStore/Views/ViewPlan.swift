import LMDB

/// A view's definition, compiled: which rows belong to it, in which groups, and where they stand.
///
/// Immutable, and the same for everyone who asks.
package final class ViewPlan: Sendable {
  /// What it was made of.
  package let definition: ViewDefinition
  /// What tells it from plans that do something else.
  package let hash: UInt64
  /// Tests whether a row belongs to the view.
  package let program: ConditionProgram
  /// What a row that meets the condition must be like besides, where that is asked.
  package let residue: (@Sendable (Row) -> Bool)?
  private let shape: RowShape
  /// The secret of the store that groups' words depend on.
  let seed: UInt64
  /// The field that it is grouped by, if it is.
  let grouping: KeyField?
  /// The field by which the groups are divided again, if they are.
  let scope: KeyField?
  /// What it is ordered by before the id.
  let order: [KeyField]
  /// How many of these, from the first on, have a word in the key.
  let wordedCount: Int
  /// How many words its keys have, from 1 to ``SortWords/countMax``.
  package let wordCount: Int

  /// The fields that decide whether a row belongs to the view: bit n for the field numbered n + 1,
  /// as in all masks here.
  package let memberFields: UInt64
  /// The fields that decide in which groups it is, if there are groups.
  package let groupFields: UInt64
  /// The fields that decide where it stands in each.
  package let keyFields: UInt64
  /// The fields without whose change no row comes, goes or moves.
  package var fields: UInt64 { memberFields | groupFields | keyFields }

  /// The plan of a view in a store with that seed.
  ///
  /// - Parameter residue: What a row that meets the condition must be like besides; it says the
  ///   same of equal rows.
  /// - Precondition: The condition has at most ``ConditionProgram/stepCountMax`` tests.
  package init(
    _ definition: ViewDefinition, seed: UInt64, residue: (@Sendable (Row) -> Bool)? = nil
  ) {
    let condition = NormalCondition(definition.condition)
    let order = definition.effectiveOrder.map(KeyField.init)
    let groupCount = definition.grouping == nil ? 0 : 1
    self.definition = definition
    self.seed = seed
    self.residue = residue
    shape = definition.collection.shape
    self.order = order
    hash = definition.planHash
    program = ConditionProgram(condition)
    grouping = definition.grouping.map(KeyField.init)
    scope = definition.scope.map(KeyField.init)
    wordedCount = min(order.count, SortWords.countMax - groupCount)
    // Without an order the id's first bytes are a word, or else all rows would tie.
    wordCount = groupCount + max(wordedCount, 1)
    memberFields = residue == nil ? condition.fields : definition.collection.shape.visible
    groupFields = [definition.grouping, definition.scope].reduce(0) { fields, field in
      fields | (field.map { 1 << UInt64($0.index) } ?? 0)
    }
    keyFields = order.reduce(0) { $0 | 1 << UInt64($1.index) }
  }

  /// Whether it has a list for each group.
  package var isGrouped: Bool { grouping != nil }

  /// Whether a row belongs to the view.
  @inline(__always)
  package func matches(_ row: RowView) -> Bool {
    guard program.matches(row) else { return false }
    return residue == nil || meetsResidue(row)
  }

  @inline(never)
  private func meetsResidue(_ row: RowView) -> Bool { residue?(Row(row, shape)) ?? true }
}
