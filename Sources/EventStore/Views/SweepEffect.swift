/// The effect of a sweep on a view's entries, as far as it follows from the conditions alone.
package enum SweepEffect {
  /// No row enters, leaves or moves.
  case updates
  /// No row remains, except those that the event also touches otherwise.
  case clears
  /// The effect depends on the rows.
  case unknown

  /// Determines the effect of giving a field a code, or no value, in all rows that meet a
  /// condition.
  ///
  /// - Parameter code: A code as in ``FixedOrder``.
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
  /// Whether the condition holds for all rows whose field at an index has that code, or no value;
  /// `nil` if that depends on other fields.
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

  /// Whether each row that meets this condition meets the other, as far as their parts reveal.
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
  /// Whether a value with that code, or a missing one, passes; `nil` if codes can't answer that.
  fileprivate func outcome(_ code: UInt64?) -> Bool? {
    guard case .codes(let codes, let orNil) = question else { return nil }
    guard let code else { return orNil }
    // A stored boolean may be any number, but tests consider only its valid codes.
    guard code <= codes.greatest else { return nil }
    return codes.intervals.contains { $0.contains(code) }
  }

  /// Whether each row that passes this test passes another test of the same field.
  fileprivate func implies(_ other: FieldTest) -> Bool {
    guard index == other.index, case .codes(let mine, let nilPasses) = question,
      case .codes(let others, let othersNil) = other.question
    else { return false }
    return (othersNil || !nilPasses) && mine.overlap(with: others) == mine
  }
}
