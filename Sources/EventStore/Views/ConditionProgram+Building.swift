extension ConditionProgram {
  /// Adds the steps of a condition, and returns the index of the first step to take.
  ///
  /// Successors are added first, so that their indices are known.
  mutating func add(_ condition: NormalCondition, _ met: Int16, _ failed: Int16) -> Int16 {
    switch condition {
    case .constant(let value): return value ? met : failed
    case .test(let test): return add(test, met, failed)
    case .all(let parts):
      return Self.costliestFirst(parts).reduce(met) { add($1, $0, failed) }
    case .any(let parts):
      return Self.costliestFirst(parts).reduce(failed) { add($1, met, $0) }
    }
  }

  /// The parts in the order in which they are added, so that cheap tests run first.
  private static func costliestFirst(_ parts: [NormalCondition]) -> [NormalCondition] {
    (0...2).reversed().flatMap { cost in parts.reversed().filter { $0.cost == cost } }
  }

  private mutating func add(_ test: FieldTest, _ met: Int16, _ failed: Int16) -> Int16 {
    let (passed, missed) = test.isWanted ? (met, failed) : (failed, met)
    switch test.question {
    case .codes(let codes, orNil: false): return add(codes, test, passed, missed)
    // Tests for the excluded codes: a missing value fails that test, and so passes this one.
    case .codes(let codes, orNil: true): return add(codes.complement, test, missed, passed)
    case .isPresent: return add(.isPresent, test, passed, missed)
    case .isOneOf(let texts): return add(.isOneOf, test, passed, missed, constants.add(texts))
    case .hasPrefix(let text): return add(.hasPrefix, test, passed, missed, constants.add([text]))
    case .intersects(let texts): return add(.intersects, test, passed, missed, constants.add(texts))
    case .comparison(let comparison, let text):
      return add(comparison.operation, test, passed, missed, constants.add([text]))
    }
  }

  private mutating func add(
    _ codes: IntervalSet, _ test: FieldTest, _ passed: Int16, _ missed: Int16
  ) -> Int16 {
    if codes.isFull { return add(.isPresent, test, passed, missed) }
    guard codes.intervals.count == 1, let interval = codes.intervals.first else {
      let places = intervals.count..<(intervals.count + codes.intervals.count)
      intervals += codes.intervals
      return add(.isInIntervals, test, passed, missed, places)
    }
    let count = interval.upperBound - interval.lowerBound
    if test.kind == .double {
      return append(.isDoubleInRange, test, passed, missed, interval.lowerBound, count)
    }
    // A code is the slot plus a constant, with wraparound; so is each bound.
    let first = interval.lowerBound &- FixedOrder.code(of: 0, test.kind)
    return append(.isInRange, test, passed, missed, first, count)
  }

  private mutating func add(
    _ operation: Operation, _ test: FieldTest, _ passed: Int16, _ missed: Int16,
    _ places: Range<Int> = 0..<0
  ) -> Int16 {
    let (first, end) = (UInt64(places.lowerBound), UInt64(places.upperBound))
    return append(operation, test, passed, missed, first, end)
  }

  private mutating func append(
    _ operation: Operation, _ test: FieldTest, _ passed: Int16, _ missed: Int16, _ first: UInt64,
    _ second: UInt64
  ) -> Int16 {
    steps.append(
      Step(
        operation: operation, index: UInt8(test.index), kind: test.kind, whenPassed: passed,
        whenFailed: missed, first: first, second: second))
    return Int16(steps.count - 1)
  }
}

extension NormalCondition {
  /// The relative cost of a test: fixed-size field, text, several tests.
  fileprivate var cost: Int {
    switch self {
    case .constant: 0
    case .test(let test): test.kind.isFixed ? 0 : 1
    case .all, .any: 2
    }
  }
}

extension Condition.Comparison {
  fileprivate var operation: ConditionProgram.Operation {
    switch self {
    case .equal: .isOneOf
    case .less: .isLess
    case .lessOrEqual: .isLessOrEqual
    case .greater: .isGreater
    case .greaterOrEqual: .isGreaterOrEqual
    }
  }
}
