public import EventStore
public import Foundation

/// A predicate and sort descriptors of a model, as a condition and an order of rows.
///
///     let plan = try QueryPlan<MailThread>(
///       where: #Predicate { $0.tagIDs.contains("inbox") },
///       sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
///
/// 1. A row meets ``condition`` if the predicate is true of the object that it is.
/// 2. Where ``residue`` is `nil`, it meets it only if so.
/// 3. Otherwise the residue decides; where it throws, the row isn't a member.
///
/// Texts are ordered by the scalars of their NFC forms, `nil` before all values.
public struct QueryPlan<Object: Model>: Sendable {
  /// What rows have to be like, and maybe more than these are.
  public let condition: Condition
  /// The order, in which rows that are left equal are in that of their ids.
  public let order: [SortField]
  /// What has still to be asked of the objects whose rows meet the condition, if anything.
  public let residue: Predicate<Object>?
  /// What the residue is there for.
  public let reasons: [String]
  private let program: ConditionProgram

  /// Plans a predicate and an order.
  ///
  /// - Throws: ``QueryError`` where rows can't be ordered so, or there is too much of something.
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

  /// Whether a row is a member: the condition and the residue in one, for rows that are at hand.
  package func contains(_ row: Row) -> Bool {
    guard program.matches(row.view) else { return false }
    guard let residue else { return true }
    return Object(row).map { (try? residue.evaluate($0)) ?? false } ?? false
  }

  /// The view of the rows that meet the condition, in the order.
  package func view(named name: String) -> ViewDefinition {
    ViewDefinition(name, of: Object.collection, where: condition, orderedBy: order)
  }

  /// What the plan does, in lines for people to read.
  public var explanation: String {
    let asked = reasons.map { "asked of each object: \($0)" }
    return ([view(named: "\(Object.self)").explanation] + asked).joined(separator: "\n")
  }

  private static func bounds(_ predicate: Predicate<Object>) -> Bounds {
    Planner(predicate.variable).bounds(predicate.expression)
  }
}
