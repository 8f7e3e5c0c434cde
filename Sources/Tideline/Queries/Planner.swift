import Foundation

/// Walks a predicate's expression and determines the operand of each part.
struct Planner {
  /// The most values in one choice.
  static let choiceCountMax = 10_000

  /// Returns the property of the object at a key path.
  private let property: (AnyKeyPath) -> Operand
  private var variables: [PredicateExpressions.VariableID: Operand] = [:]
  /// The current depth in the predicate.
  private var depth = 0
  private let reach = Reach()

  /// The deepest nesting of expressions; deeper ones are not examined.
  static let depthMax = 256

  /// Whether some are deeper.
  private final class Reach { var isExceeded = false }

  init<Object: Model>(_ object: PredicateExpressions.Variable<Object>) {
    property = { keyPath in
      switch Object.property(keyPath)?.meaning {
      case .column(let column): .column(column)
      case .condition(let condition): .truth(Bounds(condition))
      case nil: .unknown("\(keyPath.name), which no field holds")
      }
    }
    variables[object.key] = .object
  }

  /// Returns a predicate's bounds.
  func bounds(_ expression: any PredicateExpression) -> Bounds {
    let bounds = operand(expression).truth
    return reach.isExceeded ? .tooDeep(limit: Self.depthMax) : bounds
  }

  /// Returns the operand of an expression.
  func operand(_ expression: any PredicateExpression) -> Operand {
    guard depth < Self.depthMax else {
      reach.isExceeded = true
      return .unknown("what lies too deep")
    }
    var within = self
    within.depth += 1
    if let planned = expression as? any PlannedExpression { return planned.operand(within) }
    return constant(expression) ?? .unknown(Self.name(of: expression))
  }

  func operand(of variable: PredicateExpressions.VariableID) -> Operand {
    variables[variable] ?? .unknown("an element of a sequence")
  }

  func operand(at keyPath: AnyKeyPath) -> Operand { property(keyPath) }

  /// Returns a copy in which a variable stands for an operand.
  func binding(_ variable: PredicateExpressions.VariableID, to operand: Operand) -> Planner {
    var planner = self
    planner.variables[variable] = operand
    return planner
  }

  /// Returns the value of an expression without variables.
  func constant(_ expression: any PredicateExpression) -> Operand? {
    (try? expression.evaluate(PredicateBindings())).map { .constant($0) }
  }

  private static func name(of expression: any PredicateExpression) -> String {
    let name = String(describing: type(of: expression))
    return String(name.prefix { $0 != "<" })
  }
}

extension AnyKeyPath {
  /// The name to show to people, if the property is stored; computed ones have no name.
  var name: String {
    let name = "\(self)"
    return name.contains("<") ? "a computed property of \(Self.rootType)" : name
  }
}

/// A part of a predicate that can be planned.
protocol PlannedExpression {
  /// Returns its operand.
  func operand(_ planner: Planner) -> Operand
}

// Comparisons.
extension Planner {
  /// Tests for equality.
  func equality(_ left: Operand, _ right: Operand) -> Operand {
    switch (left, right) {
    case (.unknown, _): left
    case (_, .unknown): right
    case (.column(let column), .constant(let value)), (.constant(let value), .column(let column)):
      .truth(equality(column, value))
    default: truthEquality(left, right)
    }
  }

  private func equality(_ column: Column, _ constant: Any) -> Bounds {
    guard let value = unwrapped(constant) else {
      return column.absent == nil ? column.bounds(isOneOf: [nil]) : .never
    }
    return column.bounds(.equal, value)
  }

  /// Two Booleans are equal if both are `nil`, both true or both false.
  private func truthEquality(_ left: Operand, _ right: Operand) -> Operand {
    guard let a = left.optional, let b = right.optional, left.isTruth || right.isTruth else {
      return .unknown("comparison of two values")
    }
    let bothTrue = a.truth && b.truth
    let bothFalse = !a.truth && !b.truth
    let areSame = a.present && b.present && (bothTrue || bothFalse)
    return .truth(areSame || (!a.present && !b.present))
  }

  /// Tests whether the relation holds.
  func comparison(_ left: Operand, _ relation: Relation, _ right: Operand) -> Operand {
    switch (left, right) {
    case (.unknown, _): return left
    case (_, .unknown): return right
    case (.column(let column), .constant(let value)):
      guard let value = unwrapped(value) else { break }
      return .truth(column.bounds(relation, value))
    case (.constant(let value), .column(let column)):
      guard let value = unwrapped(value) else { break }
      return .truth(column.bounds(relation.flipped, value))
    default: break
    }
    return .unknown("comparison of two values")
  }
}
