import EventStore
import Foundation

extension PredicateExpressions.Variable: PlannedExpression {
  func operand(_ planner: Planner) -> Operand { planner.operand(of: key) }
}

extension PredicateExpressions.Value: PlannedExpression {
  func operand(_ planner: Planner) -> Operand { .constant(value) }
}

extension PredicateExpressions.NilLiteral: PlannedExpression {
  func operand(_ planner: Planner) -> Operand { .constant(Output.none as Any) }
}

extension PredicateExpressions.KeyPath: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    switch planner.operand(root) {
    case .object: planner.operand(at: keyPath)
    case .constant: planner.constant(self) ?? .unknown(keyPath.name)
    case .column(let column): operand(of: column)
    case .unknown(let reason): .unknown(reason)
    case .truth, .optional: .unknown(keyPath.name)
    }
  }

  private func operand(of column: Column) -> Operand {
    switch keyPath as AnyKeyPath {
    case \String.isEmpty where column.type is String.Type:
      return .truth(column.bounds(.equal, ""))
    case \Set<String>.isEmpty where column.absent is Set<String>:
      let bounds = Bounds(
        upper: .always, lower: (!column.presence).lower,
        ["isEmpty of \(column.field.name), of which rows may have an empty set"])
      return .truth(bounds)
    case \FoldedText.text where column.type is FoldedText.Type:
      let absent = (column.absent as? FoldedText)?.text
      return .column(Column(field: column.field, type: String.self, absent: absent))
    default: return .unknown("\(keyPath.name) of \(column.field.name)")
    }
  }
}

extension PredicateExpressions.Conjunction: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    .truth(planner.operand(lhs).truth && planner.operand(rhs).truth)
  }
}

extension PredicateExpressions.Disjunction: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    .truth(planner.operand(lhs).truth || planner.operand(rhs).truth)
  }
}

extension PredicateExpressions.Negation: PlannedExpression {
  func operand(_ planner: Planner) -> Operand { .truth(!planner.operand(wrapped).truth) }
}

extension PredicateExpressions.Conditional: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    guard Output.self is Bool.Type else { return .unknown("a choice between two values") }
    let test = planner.operand(test).truth
    let (first, second) = (planner.operand(trueBranch).truth, planner.operand(falseBranch).truth)
    return .truth((test && first) || (!test && second))
  }
}

extension PredicateExpressions.Equal: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let (left, right) = (planner.operand(lhs), planner.operand(rhs))
    if case (.constant, .constant) = (left, right), let value = planner.constant(self) {
      return value
    }
    return planner.equality(left, right)
  }
}

extension PredicateExpressions.NotEqual: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let (left, right) = (planner.operand(lhs), planner.operand(rhs))
    if case (.constant, .constant) = (left, right), let value = planner.constant(self) {
      return value
    }
    return .truth(!planner.equality(left, right).truth)
  }
}

extension PredicateExpressions.Comparison: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let (left, right) = (planner.operand(lhs), planner.operand(rhs))
    if case (.constant, .constant) = (left, right), let value = planner.constant(self) {
      return value
    }
    guard let relation else { return .unknown("comparison") }
    return planner.comparison(left, relation, right)
  }

  /// The relation that Foundation's enum names, which may gain cases on Apple platforms.
  private var relation: Relation? {
    if op == .lessThan { return .less }
    if op == .lessThanOrEqual { return .lessOrEqual }
    if op == .greaterThan { return .greater }
    return op == .greaterThanOrEqual ? .greaterOrEqual : nil
  }
}
