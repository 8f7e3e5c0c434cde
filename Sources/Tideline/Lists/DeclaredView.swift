package import EventStore
public import Foundation

/// A query that an app runs often, kept up to date for each account or across all accounts, so that
/// opening a provider of it builds nothing.
///
///     options.views = [
///       try DeclaredView("starred", of: MailThread.self, where: #Predicate { $0.isStarred })
///     ]
///
/// The view serves any provider with an equivalent query. A single grouped view serves one query
/// for each value of a property:
///
///     try DeclaredView("by thread", of: Draft.self, groupedBy: \.threadID)
///     inbox.provider(Draft.self, where: #Predicate { $0.threadID == "t1" })
///
/// In a replay, the names of its lists begin with `app:`, as in `app: starred:1` for account 1, or
/// `app: by thread:1/t1` for a group.
public struct DeclaredView: Sendable {
  /// The underlying view.
  package let definition: ViewDefinition

  /// Creates a view of the objects that match a predicate.
  ///
  /// - Parameters:
  ///   - name: The view's name, unique within an app.
  ///   - type: The type of the objects.
  ///   - predicate: The objects to include; without one, all.
  ///   - sort: The order; ties are broken by id.
  ///   - group: The property whose values form the groups, if any: a text, several texts or a
  ///     number. An object with several texts, such as tags or addresses, is in a group for each.
  ///   - isAcrossAccounts: Whether the view serves queries over all accounts, made with
  ///     ``InboxStore/provider(_:where:sort:window:counts:)``, rather than over one.
  /// - Throws: ``QueryError`` if the predicate or the order can't be planned in full, the property
  ///   can't form groups, or a view across accounts names a tag that differs between accounts.
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
  /// Creates the reducer with the views that an app declares.
  package init(declaring views: [DeclaredView]) { self.init(views: views.map(\.definition)) }
}

extension Model {
  /// The field whose values form the groups.
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
  /// Whether a query can select a group by one value of this column.
  fileprivate var isGrouping: Bool {
    switch field.kind {
    case .texts, .integer: true
    case .text: type is String.Type || type is FoldedText.Type
    case .boolean, .timestamp, .double, .reference, .link: false
    }
  }
}
