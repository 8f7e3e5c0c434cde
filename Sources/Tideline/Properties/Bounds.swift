package import EventStore

/// What is known of an expression that is true or false: between two conditions of the rows.
///
/// 1. `upper` is true of all rows of which the expression is.
/// 2. `lower` is false of all rows of which the expression is false.
/// 3. Where there are no reasons, both are the expression.
///
/// An expression may also end with an error; nothing is claimed of the rows for which it does.
package struct Bounds: Sendable {
  package let upper: Condition
  package let lower: Condition
  /// Why the expression is not a condition, or nothing where it is.
  package let reasons: [String]

  package init(upper: Condition, lower: Condition, _ reasons: [String]) {
    self.upper = upper
    self.lower = lower
    self.reasons = reasons
  }

  /// An expression that is a condition.
  package init(_ condition: Condition) { self.init(upper: condition, lower: condition, []) }

  static let always = Bounds(.always)
  static let never = Bounds(.never)

  static func constant(_ value: Bool) -> Bounds { value ? .always : .never }

  /// An expression of which nothing is known.
  static func unknown(_ reason: String) -> Bounds {
    Bounds(upper: .always, lower: .never, [reason])
  }

  static prefix func ! (bounds: Bounds) -> Bounds {
    Bounds(upper: !bounds.lower, lower: !bounds.upper, bounds.reasons)
  }

  static func && (a: Bounds, b: Bounds) -> Bounds {
    Bounds(upper: a.upper && b.upper, lower: a.lower && b.lower, a.reasons + b.reasons)
  }

  static func || (a: Bounds, b: Bounds) -> Bounds {
    Bounds(upper: a.upper || b.upper, lower: a.lower || b.lower, a.reasons + b.reasons)
  }

  /// The same, with a reason why it may end with an error.
  func doubted(_ reason: String) -> Bounds {
    Bounds(upper: upper, lower: lower, reasons + [reason])
  }
}
