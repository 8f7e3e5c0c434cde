package import EventStore

/// What is known of an expression that is true or false: between two conditions of the rows.
///
/// 1. `upper` is true of all rows of which the expression is.
/// 2. `lower` is false of all rows of which the expression is false.
/// 3. Where there are no reasons, both are the expression.
///
/// An expression may also end with an error; nothing is claimed of the rows for which it does.
///
/// Some have their parts more than once, and so may grow with each that lies within another. Of one
/// that is too large nothing is claimed either.
package struct Bounds: Sendable {
  package let upper: Condition
  package let lower: Condition
  /// Why the expression is not a condition, or nothing where it is.
  package let reasons: [String]
  /// How many expressions it is put together of, each as often as it is there: of one that is too
  /// large one more than it may be.
  let partCount: Int
  /// How deep they may lie within each other, where some lie deeper: then nothing is claimed.
  private(set) var exceededDepth: Int?

  /// How many expressions one may be put together of: far more than a condition may have tests, as
  /// many of them may be one test in the end.
  static let partCountMax = 1 << 16

  /// How deep they may lie within each other: a condition's limit, but for what is laid around.
  static let depthMax = Condition.depthMax - 2

  /// Whether it is put together of too many.
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

  /// An expression whose parts lie too deep within each other.
  static func tooDeep(limit: Int) -> Bounds {
    var bounds = Bounds(.always, .never, [], partCount: 1)
    bounds.exceededDepth = limit
    return bounds
  }

  /// The same, with a reason why it may end with an error.
  func doubted(_ reason: String) -> Bounds {
    var doubted = Bounds(upper, lower, reasons + [reason], partCount: partCount)
    doubted.exceededDepth = exceededDepth
    return doubted
  }
}
