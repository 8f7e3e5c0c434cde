/// A relation between two values.
package enum Relation: Sendable, CaseIterable {
  case equal
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  /// The same relation with the operands swapped.
  var flipped: Relation {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the relation holds by Swift's operators; `nil` without an order.
  func holds<Value: Equatable>(_ a: Value, _ b: Value) -> Bool? {
    if self == .equal { return a == b }
    return (a as? any Comparable).flatMap { orders($0, b) }
  }

  private func orders<Value: Comparable>(_ a: Value, _ b: Any) -> Bool? {
    guard let b = b as? Value else { return nil }
    return switch self {
    case .equal: a == b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    }
  }
}
