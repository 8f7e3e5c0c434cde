/// What a sweep does to the entries of a view, as far as its condition tells without any row.
package enum SweepEffect {
  /// No row comes, goes or moves.
  case updates
  /// No row is left that the event has not touched besides.
  case clears
  /// Only the rows can tell.
  case unknown

  /// What giving a field that code, or no value, does to a view, where it is done to all rows that
  /// meet a condition.
  ///
  /// - Parameter code: As ``FixedOrder`` has it.
  package init(on plan: ViewPlan, of rows: NormalCondition, field: Int, to code: UInt64?) {
    let condition = NormalCondition(plan.definition.condition)
    if plan.fields & 1 << UInt64(field) == 0 {
      self = .updates
    } else if condition.outcome(field, code) == false, condition.implies(rows) {
      self = .clears
    } else {
      self = .unknown
    }
  }
}

extension NormalCondition {
  /// Whether it holds of all rows whose field, counted from 0, has that code, or no value; `nil`
  /// where that depends on other fields.
  func outcome(_ field: Int, _ code: UInt64?) -> Bool? {
    switch self {
    case .constant(let value): return value
    case .test(let test): return test.index == field ? test.outcome(code) : nil
    case .all(let parts): return Self.outcome(of: parts, isAll: true, field, code)
    case .any(let parts): return Self.outcome(of: parts, isAll: false, field, code)
    }
  }

  private static func outcome(
    of parts: [NormalCondition], isAll: Bool, _ field: Int, _ code: UInt64?
  ) -> Bool? {
    let outcomes = parts.map { $0.outcome(field, code) }
    if outcomes.contains(!isAll) { return !isAll }
    return outcomes.allSatisfy { $0 == isAll } ? isAll : nil
  }

  /// Whether each row that meets it meets the other, as far as can be told from their parts.
  func implies(_ other: NormalCondition) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (_, .constant(let value)): return value
    case (_, .all(let parts)): return parts.allSatisfy { implies($0) }
    case (.all(let parts), _): return parts.contains { $0.implies(other) }
    case (.test(let test), .test(let wider)): return test.implies(wider)
    default: return false
    }
  }
}

extension FieldTest {
  /// Whether a value with that code passes, or none does; `nil` where the question is no such.
  fileprivate func outcome(_ code: UInt64?) -> Bool? {
    guard case .codes(let codes, let orNil) = question else { return nil }
    guard let code else { return orNil }
    // A boolean may be kept as any number, and what is asked of it goes by those that there are.
    guard code <= codes.greatest else { return nil }
    return codes.intervals.contains { $0.contains(code) }
  }

  /// Whether each row that passes it passes another test of the same field.
  fileprivate func implies(_ other: FieldTest) -> Bool {
    guard index == other.index, case .codes(let mine, let nilPasses) = question,
      case .codes(let others, let othersNil) = other.question
    else { return false }
    return (othersNil || !nilPasses) && mine.overlap(with: others) == mine
  }
}
