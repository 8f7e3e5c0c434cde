import EventStore
import Foundation

extension PredicateExpressions.SequenceContains: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let (sequence, element) = (planner.operand(sequence), planner.operand(element))
    switch (sequence, element) {
    case (.unknown, _): return sequence
    case (_, .unknown): return element
    case (.constant, .constant): return planner.constant(self) ?? .unknown("contains")
    case (.column(let column), .constant(let value)):
      let bounds = (unwrapped(value) as? String).flatMap(column.bounds(containing:))
      return bounds.map(Operand.truth) ?? .unknown("contains of \(column.field.name)")
    case (.constant(let value), .column(let column)): return planner.choice(value, column)
    default: return .unknown("contains of two values")
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let element = planner.operand(element)
    guard let range = range as? any PlannedRange else {
      guard case .column(let column) = element, let values = planner.constant(range),
        case .constant(let values) = values
      else { return .unknown("range of two values") }
      return planner.choice(values, column)
    }
    return range.contains(element, planner)
  }
}

/// A range written out in a predicate; evaluating it traps if its bounds form no range.
private protocol PlannedRange {
  func contains(_ element: Operand, _ planner: Planner) -> Operand
}

extension PredicateExpressions.Range: PlannedRange {
  fileprivate func contains(_ element: Operand, _ planner: Planner) -> Operand {
    let isBehind = planner.comparison(element, .greaterOrEqual, planner.operand(lower))
    let isBefore = planner.comparison(element, .less, planner.operand(upper))
    return .truth(isBehind.truth && isBefore.truth)
  }
}

extension PredicateExpressions.ClosedRange: PlannedRange {
  fileprivate func contains(_ element: Operand, _ planner: Planner) -> Operand {
    let isBehind = planner.comparison(element, .greaterOrEqual, planner.operand(lower))
    let isBefore = planner.comparison(element, .lessOrEqual, planner.operand(upper))
    return .truth(isBehind.truth && isBefore.truth)
  }
}

extension PredicateExpressions.SequenceStartsWith: PlannedExpression {
  func operand(_ planner: Planner) -> Operand {
    let (base, prefix) = (planner.operand(base), planner.operand(prefix))
    switch (base, prefix) {
    case (.unknown, _): return base
    case (_, .unknown): return prefix
    case (.constant, .constant): return planner.constant(self) ?? .unknown("starts(with:)")
    case (.column(let column), .constant(let value)):
      let bounds = (value as? String).flatMap(column.bounds(startingWith:))
      return bounds.map(Operand.truth) ?? .unknown("starts(with:) of \(column.field.name)")
    default: return .unknown("starts(with:) of two values")
    }
  }
}

extension Planner {
  /// Returns whether a property has one of the values of a sequence.
  fileprivate func choice(_ values: Any, _ column: Column) -> Operand {
    if let range = values as? any ValueRange { return .truth(range.bounds(column)) }
    guard let values = values as? any Collection, values.count <= Self.choiceCountMax else {
      return .unknown("choice of \(column.field.name)")
    }
    func elements(_ values: some Collection) -> [Any?] { values.map { unwrapped($0) } }
    return .truth(column.bounds(isOneOf: elements(values)))
  }
}

/// A range value, which may have too many elements to enumerate.
private protocol ValueRange {
  func bounds(_ column: Column) -> Bounds
}

extension Range: ValueRange {
  fileprivate func bounds(_ column: Column) -> Bounds {
    column.bounds(.greaterOrEqual, lowerBound) && column.bounds(.less, upperBound)
  }
}

extension ClosedRange: ValueRange {
  fileprivate func bounds(_ column: Column) -> Bounds {
    column.bounds(.greaterOrEqual, lowerBound) && column.bounds(.lessOrEqual, upperBound)
  }
}

extension PartialRangeFrom: ValueRange {
  fileprivate func bounds(_ column: Column) -> Bounds { column.bounds(.greaterOrEqual, lowerBound) }
}

extension PartialRangeUpTo: ValueRange {
  fileprivate func bounds(_ column: Column) -> Bounds { column.bounds(.less, upperBound) }
}

extension PartialRangeThrough: ValueRange {
  fileprivate func bounds(_ column: Column) -> Bounds { column.bounds(.lessOrEqual, upperBound) }
}
