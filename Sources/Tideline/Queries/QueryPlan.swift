public import EventStore
public import Foundation

/// A predicate and sort descriptors of a model, as a condition on rows and their order.
///
///     let plan = try QueryPlan<MailThread>(
///       where: #Predicate { $0.tagIDs.contains("inbox") },
///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
///
/// 1. A row meets ``condition`` if the predicate is true for the row's object.
/// 2. If ``residue`` is `nil`, the reverse also holds.
/// 3. Otherwise the residue decides; if it throws, the row isn't a member.
///
/// Texts are ordered by the scalars of their NFC forms, with `nil` before all values.
public struct QueryPlan<Object: Model>: Sendable {
  /// The condition that every member's row meets; other rows may meet it too.
  public let condition: Condition
  /// The order; rows that compare equal are ordered by id.
  public let order: [SortField]
  /// The predicate to evaluate for objects whose rows meet the condition, if needed.
  public let residue: Predicate<Object>?
  /// Why there is a residue.
  public let reasons: [String]
  private let program: ConditionProgram

  /// Plans a predicate and an order.
  ///
  /// - Throws: ``QueryError`` if rows can't be ordered this way or the query exceeds a limit.
  public init(
    where predicate: Predicate<Object>? = nil, sort: [SortDescriptor<Object>] = []
  ) throws(QueryError) {
    let (bounds, limit) = (predicate.map(Self.bounds) ?? .always, ViewDefinition.testCountMax)
    if let limit = bounds.exceededDepth { throw .tooDeep(limit: limit) }
    guard !bounds.isTooLarge else { throw .tooManyTests(count: bounds.partCount, limit: limit) }
    order = try Self.order(sort)
    reasons = bounds.reasons.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    residue = reasons.isEmpty ? nil : predicate
    condition = Object.scope == .always ? bounds.upper : Object.scope && bounds.upper
    let count = condition.testCount
    guard count <= limit else { throw .tooManyTests(count: count, limit: limit) }
    program = ConditionProgram(NormalCondition(condition))
  }

  /// Returns whether a row at hand is a member, by both the condition and the residue.
  package func contains(_ row: Row) -> Bool {
    guard program.matches(row.view) else { return false }
    guard let residue else { return true }
    return Object(row).map { (try? residue.evaluate($0)) ?? false } ?? false
  }

  /// Returns the view of the rows that meet the condition, in this order.
  package func view(named name: String) -> ViewDefinition {
    ViewDefinition(name, of: Object.collection, where: condition, orderedBy: order)
  }

  /// A description of the plan, in lines for people to read.
  public var explanation: String {
    let asked = reasons.map { "asked of each object: \($0)" }
    return ([view(named: "\(Object.self)").explanation] + asked).joined(separator: "\n")
  }

  private static func bounds(_ predicate: Predicate<Object>) -> Bounds {
    Planner(predicate.variable).bounds(predicate.expression)
  }
}
