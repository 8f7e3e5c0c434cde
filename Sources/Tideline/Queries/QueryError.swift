/// Why a query can't be planned.
public enum QueryError: Error, Hashable, Sendable {
  /// The order depends on the locale; use the property `folded` instead, if there is one.
  case locale(property: String, folded: String?)
  /// Rows can't be ordered by the property: no field stores it, or one without an order.
  case unordered(property: String)
  /// Rows can't be grouped by the property: no field stores it, or one whose values queries can't
  /// name.
  case ungrouped(property: String)
  /// The query has more sort descriptors than an order allows.
  case tooManyDescriptors(count: Int, limit: Int)
  /// The predicate has more tests than a condition allows.
  case tooManyTests(count: Int, limit: Int)
  /// The predicate is nested deeper than a condition allows.
  case tooDeep(limit: Int)
  /// No view can answer the query, since part of it must be evaluated for each object.
  case unplanned(reasons: [String])
  /// A view could answer it, but none is declared.
  case notKept
  /// The query spans all accounts and names a tag that may differ between them.
  case ownTag(id: String)
}

extension QueryError: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .locale(let property, let folded?):
      "The order by \(property) depends on the locale. Use SortDescriptor(\\.\(folded))."
    case .locale(let property, nil):
      "The order by \(property) depends on the locale. Use the comparator .lexical."
    case .unordered(let property):
      "Rows can't be sorted by \(property). Use a property stored in a single-value field."
    case .ungrouped(let property):
      "Rows can't be grouped by \(property). Use a text, texts or a number stored in a field."
    case .tooManyDescriptors(let count, let limit):
      "The order has \(count) descriptors; the limit is \(limit). Remove some."
    case .tooManyTests(let count, let limit):
      "The predicate has \(count) tests; the limit is \(limit). Use a collection's contains."
    case .tooDeep(let limit):
      "The predicate is nested too deeply; the limit is \(limit). Use chains of && and ||."
    case .unplanned(let reasons):
      "No view can be kept for the query: \(reasons.joined(separator: "; ")). Leave that out."
    case .notKept:
      "No view is kept for the query. Declare one in InboxStore.Options.views with the same "
        + "predicate and order."
    case .ownTag(let id):
      "The tag \(id) may differ between accounts. Name tags that every mailbox has, such as "
        + "inbox, or query the inbox of one account."
    }
  }
}
