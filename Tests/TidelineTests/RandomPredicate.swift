import EventStore
import Foundation
import TestSupport
import Tideline

typealias Expressions = PredicateExpressions
typealias Truth = any StandardPredicateExpression<Bool>

/// Draws predicates from the same functions that the macro `#Predicate` calls.
struct RandomPredicate<Object: Model> {
  typealias Subject = Expressions.Variable<Object>
  typealias Leaf = (Subject, inout SeededGenerator) -> Truth

  let leaves: [Leaf]

  func callAsFunction(_ dice: inout SeededGenerator) -> Predicate<Object> {
    var drawn = dice
    let predicate = Predicate<Object> { formula($0, depth: 3, &drawn) }
    dice = drawn
    return predicate
  }

  private func formula(_ object: Subject, depth: Int, _ dice: inout SeededGenerator) -> Truth {
    guard depth > 0 else { return leaf(object, &dice) }
    let first = formula(object, depth: depth - 1, &dice)
    switch Int.random(in: 0..<9, using: &dice) {
    case 0, 1: return and(first, formula(object, depth: depth - 1, &dice))
    case 2, 3: return or(first, formula(object, depth: depth - 1, &dice))
    case 4: return not(first)
    case 5:
      let (second, third) = (leaf(object, &dice), leaf(object, &dice))
      return choice(first, second, third)
    case 6: return same(first, leaf(object, &dice))
    default: return leaf(object, &dice)
    }
  }

  private func leaf(_ object: Subject, _ dice: inout SeededGenerator) -> Truth {
    leaves[Int.random(in: leaves.indices, using: &dice)](object, &dice)
  }
}

func and(
  _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
) -> Truth { Expressions.build_Conjunction(lhs: a, rhs: b) }

func or(
  _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
) -> Truth { Expressions.build_Disjunction(lhs: a, rhs: b) }

func not(_ a: some StandardPredicateExpression<Bool>) -> Truth { Expressions.build_Negation(a) }

func same(
  _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
) -> Truth { Expressions.build_Equal(lhs: a, rhs: b) }

func choice(
  _ test: some StandardPredicateExpression<Bool>, _ a: some StandardPredicateExpression<Bool>,
  _ b: some StandardPredicateExpression<Bool>
) -> Truth { Expressions.build_Conditional(test, a, b) }

extension RandomPredicate {
  /// Draws tests of a property that may be `nil`.
  static func optional<Value: Comparable & Hashable & Codable & Sendable>(
    _ keyPath: any KeyPath<Object, Value?> & Sendable,
    _ draw: @escaping (inout SeededGenerator) -> Value
  ) -> Leaf {
    { object, dice in
      let value = Expressions.build_KeyPath(root: object, keyPath: keyPath)
      let constant = Expressions.build_Arg(draw(&dice))
      let maybe = Expressions.build_Arg(Bool.random(using: &dice) ? draw(&dice) : nil)
      let operation = RandomPredicate.operation(&dice)
      switch Int.random(in: 0..<10, using: &dice) {
      case 0: return Expressions.build_Equal(lhs: value, rhs: maybe)
      case 1: return Expressions.build_NotEqual(lhs: maybe, rhs: value)
      case 2: return Expressions.build_Equal(lhs: value, rhs: Expressions.NilLiteral<Value>())
      case 3:
        let values = Expressions.build_Arg([draw(&dice), nil, draw(&dice)].shuffled(using: &dice))
        return Expressions.build_contains(values, value)
      case 4:
        let whole = Expressions.build_NilCoalesce(lhs: value, rhs: constant)
        return Expressions.build_Comparison(
          lhs: whole, rhs: Expressions.build_Arg(draw(&dice)), op: operation)
      case 5:
        let whole = Expressions.build_NilCoalesce(lhs: value, rhs: constant)
        let values = Expressions.build_Arg([draw(&dice), draw(&dice)])
        return Expressions.build_contains(values, whole)
      case 6:
        return Expressions.build_Comparison(
          lhs: Expressions.build_ForcedUnwrap(value), rhs: constant, op: operation)
      case 7:
        return Expressions.build_Equal(
          lhs: constant, rhs: Expressions.build_ForcedUnwrap(value))
      case 8:
        let test = Expressions.build_flatMap(value) {
          Expressions.build_Comparison(lhs: $0, rhs: constant, op: operation)
        }
        return Expressions.build_NilCoalesce(
          lhs: test, rhs: Expressions.build_Arg(Bool.random(using: &dice)))
      default:
        let test = Expressions.build_flatMap(value) {
          Expressions.build_NotEqual(lhs: $0, rhs: constant)
        }
        let wanted: Bool? = [true, false, nil][Int.random(in: 0..<3, using: &dice)]
        return Expressions.build_Equal(lhs: test, rhs: Expressions.build_Arg(wanted))
      }
    }
  }

  /// Draws tests of a property that always has a value.
  static func value<Value: Comparable & Hashable & Codable & Sendable>(
    _ keyPath: any KeyPath<Object, Value> & Sendable,
    _ draw: @escaping (inout SeededGenerator) -> Value
  ) -> Leaf {
    { object, dice in
      let value = Expressions.build_KeyPath(root: object, keyPath: keyPath)
      let constant = Expressions.build_Arg(draw(&dice))
      let operation = RandomPredicate.operation(&dice)
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: return Expressions.build_Equal(lhs: value, rhs: constant)
      case 1: return Expressions.build_NotEqual(lhs: value, rhs: constant)
      case 2: return Expressions.build_Comparison(lhs: value, rhs: constant, op: operation)
      case 3: return Expressions.build_Comparison(lhs: constant, rhs: value, op: operation)
      default:
        let ends = [draw(&dice), draw(&dice)].sorted()
        return Bool.random(using: &dice)
          ? Expressions.build_contains(Expressions.build_Arg(ends[0]...ends[1]), value)
          : Expressions.build_contains(
            Expressions.build_Range(
              lower: Expressions.build_Arg(ends[0]), upper: Expressions.build_Arg(ends[1])), value)
      }
    }
  }

  /// Draws tests of a Boolean property.
  static func truth(_ keyPath: any KeyPath<Object, Bool> & Sendable) -> Leaf {
    { object, dice in
      let value = Expressions.build_KeyPath(root: object, keyPath: keyPath)
      let constant = Expressions.build_Arg(Bool.random(using: &dice))
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: return value
      case 1: return Expressions.build_Equal(lhs: value, rhs: constant)
      default: return Expressions.build_NotEqual(lhs: constant, rhs: value)
      }
    }
  }

  /// Draws tests of a set of texts.
  static func texts(_ keyPath: any KeyPath<Object, Set<String>> & Sendable) -> Leaf {
    { object, dice in
      let value = Expressions.build_KeyPath(root: object, keyPath: keyPath)
      let constant = Expressions.build_Arg(Drawn.text(&dice))
      switch Int.random(in: 0..<8, using: &dice) {
      case 0:
        return Expressions.build_contains(value) {
          Expressions.build_Equal(lhs: $0, rhs: constant)
        }
      case 1: return Expressions.build_KeyPath(root: value, keyPath: \Set<String>.isEmpty)
      default: return Expressions.build_contains(value, constant)
      }
    }
  }

  /// Draws tests of a text's prefix, emptiness and substrings.
  static func parts(_ keyPath: any KeyPath<Object, String?> & Sendable) -> Leaf {
    { object, dice in
      let value = Expressions.build_KeyPath(root: object, keyPath: keyPath)
      let part = Expressions.build_Arg(Drawn.text(&dice))
      let fallback = Expressions.build_Arg(Bool.random(using: &dice))
      let whole = Expressions.build_NilCoalesce(
        lhs: value, rhs: Expressions.build_Arg(Drawn.text(&dice)))
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: return Expressions.build_starts(whole, with: part)
      case 1:
        let test = Expressions.build_flatMap(value) { Expressions.build_starts($0, with: part) }
        return Expressions.build_NilCoalesce(lhs: test, rhs: fallback)
      case 2:
        let test = Expressions.build_flatMap(value) {
          Expressions.build_KeyPath(root: $0, keyPath: \.isEmpty)
        }
        return Expressions.build_NilCoalesce(lhs: test, rhs: fallback)
      default: return Expressions.build_contains(whole, part)
      }
    }
  }

  private static func operation(
    _ dice: inout SeededGenerator
  ) -> Expressions.ComparisonOperator {
    [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual][
      Int.random(in: 0..<4, using: &dice)]
  }
}
