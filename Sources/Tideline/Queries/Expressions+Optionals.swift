import Foundation

extension PredicateExpressions.NilCoalesce: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let (left, right) = (planner.operand(lhs), planner.operand(rhs))
    switch (left, right) {
    case (.constant(let value), _): return unwrapped(value).map { .constant($0) } ?? right
    case (.column(let column), .constant(let value)) where column.absent == nil:
      guard let value = unwrapped(value) else { return left }
      guard let value = value as? any PropertyValue else { break }
      return .column(Column(field: column.field, type: column.type, absent: value))
    default: break
    }
    guard let a = left.optional, let b = right.optional else {
      return .unknown(left.reason ?? right.reason ?? "?? between two values")
    }
    let truth = (a.present && a.truth) || (!a.present && b.truth)
    return RHS.Output.self is Bool.Type
      ? .truth(truth) : .optional(a.present || b.present, truth)
  }
}

extension PredicateExpressions.OptionalFlatMap: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let wrapped = planner.operand(wrapped)
    switch wrapped {
    case .constant(let value):
      guard let value = unwrapped(value) else { return .constant(Output.none as Any) }
      return planner.binding(variable.key, to: .constant(value)).operand(transform)
    case .column(let column) where column.absent == nil:
      return operand(planner.binding(variable.key, to: wrapped), column.presence, wrapped)
    case .optional(let present, let truth):
      return operand(planner.binding(variable.key, to: .truth(truth)), present, wrapped)
    case .unknown: return wrapped
    default: return .unknown("?. of what is never nil")
    }
  }

  /// Returns the operand of the transform, which applies if there is a value.
  private func operand(_ planner: Planner, _ present: Bounds, _ wrapped: Operand) -> Operand {
    let result = planner.operand(transform)
    if case (.column(let inner), .column(let outer)) = (result, wrapped) {
      let isSame = inner.field == outer.field && inner.absent == nil
      return isSame ? result : .unknown("?. that leads to another property")
    }
    guard let truth = result.optional else {
      return .unknown(result.reason ?? "?. that leads to a value")
    }
    return .optional(present && truth.present, truth.truth)
  }
}

extension PredicateExpressions.ForcedUnwrap: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let inner = planner.operand(inner)
    switch inner {
    case .column(var column):
      column.isForced = true
      return .column(column)
    case .optional(let present, let truth):
      return .truth((present && truth).doubted("unwrapping by force"))
    case .constant(let value):
      return unwrapped(value).map { .constant($0) } ?? .unknown("unwrapping of nil by force")
    case .object, .truth, .unknown: return inner
    }
  }
}
