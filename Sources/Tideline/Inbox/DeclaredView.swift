import EventStore
public import Foundation

/// A query that an app asks often: kept up to date for each account, so that providers of it cost
/// nothing to open.
///
///     options.views = [
///       try DeclaredView("starred", of: MailThread.self, where: #Predicate { $0.isStarred })
///     ]
///
/// Any provider whose query comes to the same is answered by it.
public struct DeclaredView: Sendable {
  /// What the engine keeps.
  let definition: ViewDefinition

  /// A view of the objects that a predicate finds.
  ///
  /// - Throws: ``QueryError`` where the predicate or the order can't be planned whole.
  public init<Object: Model>(
    _ name: String, of type: Object.Type, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = []
  ) throws(QueryError) {
    let plan = try QueryPlan(where: predicate, sort: sort)
    guard plan.residue == nil else { throw .unplanned(reasons: plan.reasons) }
    definition = plan.view(named: "app: \(name)").grouped(by: InboxFields.account)
  }
}
