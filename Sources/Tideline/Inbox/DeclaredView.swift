import EventStore
public import Foundation

/// A query that an app asks often: kept up to date for each account, so that providers of it cost
/// nothing to open.
///
///     options.views = [
///       try DeclaredView("starred", of: MailThread.self, where: #Predicate { $0.isStarred })
///     ]
///
/// Any provider whose query comes to the same is answered by it. One that is divided by a property
/// answers those that ask for one of its values:
///
///     try DeclaredView(
///       "unread by address", of: Message.self, where: #Predicate { $0.isUnread },
///       by: \.addresses)
///     // #Predicate { $0.isUnread && $0.addresses.contains(address) }
public struct DeclaredView: Sendable {
  /// What the engine keeps.
  let definition: ViewDefinition

  /// A view of the objects that a predicate finds.
  ///
  /// - Parameters:
  ///   - name: The app's name for it.
  ///   - type: What the objects are.
  ///   - predicate: Which of them are wanted; without one, all.
  ///   - sort: In which order; what it leaves equal is in the order of the ids.
  ///   - property: What divides it: there is a list for each text that it has, however many lists
  ///     an object is in.
  /// - Throws: ``QueryError`` where the predicate, the order or the division can't be planned.
  public init<Object: Model>(
    _ name: String, of type: Object.Type, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = [], by property: PartialKeyPath<Object>? = nil
  ) throws(QueryError) {
    let plan = try QueryPlan(where: predicate, sort: sort)
    guard plan.residue == nil else { throw .unplanned(reasons: plan.reasons) }
    let view = plan.view(named: "app: \(name)")
    guard let property else {
      definition = view.grouped(by: InboxFields.account)
      return
    }
    guard let field = Object.property(property)?.field, [.text, .texts].contains(field.kind) else {
      throw .unplanned(reasons: ["lists by \(property.name)"])
    }
    definition = view.grouped(by: field).within(InboxFields.account)
  }
}
