import EventStore
import Foundation

extension QueryPlan {
  /// Returns the fields that the descriptors sort by.
  static func order(_ sort: [SortDescriptor<Object>]) throws(QueryError) -> [SortField] {
    let limit = ViewDefinition.orderCountMax
    guard sort.count <= limit else {
      throw .tooManyDescriptors(count: sort.count, limit: limit)
    }
    var order: [SortField] = []
    for descriptor in sort { order.append(try field(descriptor)) }
    return order
  }

  private static func field(_ descriptor: SortDescriptor<Object>) throws(QueryError) -> SortField {
    guard let keyPath = descriptor.keyPath, let column = Object.column(keyPath) else {
      throw .unordered(property: descriptor.keyPath?.name ?? "an object of Objective-C")
    }
    guard column.isOrdered else { throw .unordered(property: column.field.name) }
    if let comparator = descriptor.stringComparator, !comparator.isLexical {
      throw Object.localeError(column.field.name)
    }
    return SortField(column.field, descriptor.order == .forward ? .ascending : .descending)
  }
}

extension String.StandardComparator {
  /// Whether this is the locale-independent comparator, in either direction.
  fileprivate var isLexical: Bool {
    String.StandardComparator(self, order: .forward) == .lexical
  }
}

extension Model {
  /// Returns the column at a key path.
  fileprivate static func column(_ keyPath: AnyKeyPath) -> Column? {
    if case .column(let column) = property(keyPath)?.meaning { column } else { nil }
  }

  /// Returns the error for ordering by a locale-dependent property, naming its folded property if
  /// any.
  package static func localeError(_ property: String) -> QueryError {
    let folded = "folded\(property.prefix(1).uppercased())\(property.dropFirst())"
    return .locale(property: property, folded: collection.field(named: folded)?.name)
  }
}

extension Column {
  /// Whether rows can be ordered by the column's values.
  fileprivate var isOrdered: Bool {
    switch field.kind {
    case .texts, .reference, .link: false
    case .text: type is String.Type || type is FoldedText.Type
    case .integer, .boolean, .timestamp, .double: true
    }
  }
}
