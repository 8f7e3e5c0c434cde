import LMDB

/// A compiled view definition: which rows belong to the view, in which groups, and in which order.
///
/// Immutable and shared.
package final class ViewPlan: Sendable {
  /// The definition that was compiled.
  package let definition: ViewDefinition
  /// The hash that tells this plan from plans with another effect.
  package let hash: UInt64
  /// The test of whether a row belongs to the view.
  package let program: ConditionProgram
  /// A further test of rows that meet the condition, if any.
  package let residue: (@Sendable (Row) -> Bool)?
  private let shape: RowShape
  /// The store's secret, which the words of groups depend on.
  let seed: UInt64
  /// The field that the view is grouped by, if any.
  let grouping: KeyField?
  /// The field that divides the groups again, if any.
  let scope: KeyField?
  /// The sort fields that precede the id.
  let order: [KeyField]
  /// The number of leading sort fields with a word in the key.
  let wordedCount: Int
  /// The number of words in each key, from 1 to ``SortWords/countMax``.
  package let wordCount: Int

  /// The fields that decide whether a row belongs to the view: bit n for the field numbered n + 1,
  /// as in all masks here.
  package let memberFields: UInt64
  /// The fields that decide a row's groups, if there are groups.
  package let groupFields: UInt64
  /// The fields that decide a row's place in each group.
  package let keyFields: UInt64
  /// The fields without whose change no row enters, leaves or moves.
  package var fields: UInt64 { memberFields | groupFields | keyFields }

  /// Compiles a view for a store with the given seed.
  ///
  /// - Parameter residue: A further test of rows that meet the condition; it must give equal rows
  ///   the same result.
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
    // Without sort fields, the id's first bytes form a word; otherwise all rows would tie.
    wordCount = groupCount + max(wordedCount, 1)
    memberFields = residue == nil ? condition.fields : definition.collection.shape.visible
    groupFields = [definition.grouping, definition.scope].reduce(0) { fields, field in
      fields | (field.map { 1 << UInt64($0.index) } ?? 0)
    }
    keyFields = order.reduce(0) { $0 | 1 << UInt64($1.index) }
  }

  /// Whether the view has a list for each group.
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
