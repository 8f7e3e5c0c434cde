package import EventStore

/// What is known about a Boolean expression: two conditions that bound it.
///
/// 1. `upper` is true for every row for which the expression is true.
/// 2. `lower` is false for every row for which the expression is false.
/// 3. If there are no reasons, both are equivalent to the expression.
///
/// Evaluating an expression may also throw; nothing is claimed for rows where it does.
///
/// Some operators repeat their operands, so nested expressions may grow with each level. Nothing is
/// claimed for an expression that is too large either.
package struct Bounds: Sendable {
  package let upper: Condition
  package let lower: Condition
  /// Why the expression is not a condition; empty if it is one.
  package let reasons: [String]
  /// The number of subexpressions, counting repetitions; one more than the limit if too large.
  let partCount: Int
  /// The nesting limit that the expression exceeds, if it does; then nothing is claimed.
  private(set) var exceededDepth: Int?

  /// The most subexpressions of one expression: far more than a condition's tests, since many of
  /// them may end up as a single test.
  static let partCountMax = 1 << 16

  /// The deepest nesting: a condition's limit minus the levels added around it.
  static let depthMax = Condition.depthMax - 2

  /// Whether the expression has too many subexpressions.
  var isTooLarge: Bool { partCount > Self.partCountMax }

  package init(upper: Condition, lower: Condition, _ reasons: [String]) {
    self.init(upper, lower, reasons, partCount: 1)
  }

  private init(_ upper: Condition, _ lower: Condition, _ reasons: [String], partCount: Int) {
    self.upper = upper
    self.lower = lower
    self.reasons = reasons
    self.partCount = partCount
  }

  /// The bounds of a condition.
  package init(_ condition: Condition) { self.init(upper: condition, lower: condition, []) }

  static let always = Bounds(.always)
  static let never = Bounds(.never)

  static func constant(_ value: Bool) -> Bounds { value ? .always : .never }

  /// An expression about which nothing is known.
  static func unknown(_ reason: String) -> Bounds {
    Bounds(upper: .always, lower: .never, [reason])
  }

  static prefix func ! (bounds: Bounds) -> Bounds {
    if let limit = bounds.exceededDepth { return tooDeep(limit: limit) }
    guard bounds.depth < depthMax else { return tooDeep(limit: depthMax) }
    return Bounds(!bounds.lower, !bounds.upper, bounds.reasons, partCount: bounds.partCount)
  }

  static func && (a: Bounds, b: Bounds) -> Bounds { joined(a, b) { $0 && $1 } }

  static func || (a: Bounds, b: Bounds) -> Bounds { joined(a, b) { $0 || $1 } }

  private static func joined(
    _ a: Bounds, _ b: Bounds, _ join: (Condition, Condition) -> Condition
  ) -> Bounds {
    if let limit = a.exceededDepth ?? b.exceededDepth { return tooDeep(limit: limit) }
    guard max(a.depth, b.depth) < depthMax else { return tooDeep(limit: depthMax) }
    let count = a.partCount + b.partCount
    guard count <= partCountMax else {
      return Bounds(.always, .never, [], partCount: partCountMax + 1)
    }
    return Bounds(
      join(a.upper, b.upper), join(a.lower, b.lower), a.reasons + b.reasons, partCount: count)
  }

  private var depth: Int { max(upper.depth, lower.depth) }

  /// Returns bounds of an expression that is nested too deep.
  static func tooDeep(limit: Int) -> Bounds {
    var bounds = Bounds(.always, .never, [], partCount: 1)
    bounds.exceededDepth = limit
    return bounds
  }

  /// Returns the same bounds with a reason why evaluation may throw.
  func doubted(_ reason: String) -> Bounds {
    var doubted = Bounds(upper, lower, reasons + [reason], partCount: partCount)
    doubted.exceededDepth = exceededDepth
    return doubted
  }
}
