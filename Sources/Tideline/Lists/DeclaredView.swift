package import EventStore
public import Foundation

/// A query that an app asks often: kept up to date for each account, or over all of them, so that
/// providers of it cost nothing to open.
///
///     options.views = [
///       try DeclaredView("starred", of: MailThread.self, where: #Predicate { $0.isStarred })
///     ]
///
/// Any provider whose query comes to the same is answered by it. One view in groups answers a query
/// for each value of a property:
///
///     try DeclaredView("by thread", of: Draft.self, groupedBy: \.threadID)
///     inbox.provider(Draft.self, where: #Predicate { $0.threadID == "t1" })
///
/// Who looks back names its lists with `app:` before: `app: starred:1` in account 1, and in groups
/// `app: by thread:1/t1`.
public struct DeclaredView: Sendable {
  /// What the engine keeps.
  package let definition: ViewDefinition

  /// A view of the objects that a predicate finds.
  ///
  /// - Parameters:
  ///   - name: What it is called, once in an app.
  ///   - type: What the objects are.
  ///   - predicate: Which of them are wanted; without one, all.
  ///   - sort: In which order; what it leaves equal is in the order of the ids.
  ///   - group: The property by whose values it is in groups, if it is: a text, several texts or a
  ///     number. By several texts, such as tags or addresses, an object is in a group for each.
  ///   - isAcrossAccounts: Whether it is for what is asked of all accounts, by
  ///     ``InboxStore/provider(_:where:sort:window:counts:)``, instead of one's.
  /// - Throws: ``QueryError`` where the predicate or the order can't be planned whole, there are
  ///   no groups by that property, or a tag is not the same in all accounts.
  public init<Object: Model>(
    _ name: String, of type: Object.Type, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = [], groupedBy group: PartialKeyPath<Object>? = nil,
    acrossAccounts isAcrossAccounts: Bool = false
  ) throws(QueryError) {
    let plan = try QueryPlan(where: predicate, sort: sort)
    guard plan.residue == nil else { throw .unplanned(reasons: plan.reasons) }
    if isAcrossAccounts { try plan.requireSharedTags() }
    let view = plan.view(named: "app: \(name)")
    guard let group else {
      definition = isAcrossAccounts ? view : view.grouped(by: InboxFields.account)
      return
    }
    let grouped = view.grouped(by: try Object.groupField(group))
    definition = isAcrossAccounts ? grouped : grouped.within(InboxFields.account)
  }
}

extension InboxReducer {
  /// The rules, with the views that an app declares.
  package init(declaring views: [DeclaredView]) { self.init(views: views.map(\.definition)) }
}

extension Model {
  /// The field by whose values there are groups.
  fileprivate static func groupField(
    _ keyPath: PartialKeyPath<Self>
  ) throws(QueryError) -> FieldDeclaration {
    guard case .column(let column)? = property(keyPath)?.meaning, column.isGrouping else {
      throw .ungrouped(property: property(keyPath)?.field?.name ?? keyPath.name)
    }
    return column.field
  }
}

extension Column {
  /// Whether queries name a single value of it, or one of several.
  fileprivate var isGrouping: Bool {
    switch field.kind {
    case .texts, .integer: true
    case .text: type is String.Type || type is FoldedText.Type
    case .boolean, .timestamp, .double, .reference, .link: false
    }
  }
}
