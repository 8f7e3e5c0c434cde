import LMDB

/// A condition as a flat list of tests, each with a successor for when it passes and one for when
/// it fails.
///
/// A row is put to few of them: the first decisive test ends the run. Nothing is allocated or
/// retained.
package struct ConditionProgram: Sendable {
  /// The operation of a step.
  package enum Operation: UInt8, BitwiseCopyable, Sendable {
    /// Whether the field has a value.
    case isPresent
    /// Whether the slot is one of `second` + 1 values from `first` on, with wraparound.
    case isInRange
    /// Whether the code of a double is in such a range.
    case isDoubleInRange
    /// Whether the code is in one of the intervals.
    case isInIntervals
    /// Whether the text equals one of the constants.
    case isOneOf
    /// Whether the text compares to the constant in this way.
    case isLess, isLessOrEqual, isGreater, isGreaterOrEqual
    /// Whether the text begins with the constant.
    case hasPrefix
    /// Whether one of several texts equals one of the constants.
    case intersects
  }

  /// One test.
  package struct Step: Sendable {
    let operation: Operation
    let index: UInt8
    let kind: FieldKind
    /// The next step, or an outcome.
    let whenPassed: Int16
    let whenFailed: Int16
    /// Operands of the operation, or the places of the first constant and past the last.
    let first: UInt64
    let second: UInt64
  }

  /// The outcomes that stand in place of a next step.
  package enum Outcome {
    package static let met: Int16 = -1
    package static let failed: Int16 = -2
  }

  /// The maximum number of tests in a condition.
  package static let stepCountMax = 1_000

  /// The steps; the last one is the first to be taken.
  package internal(set) var steps: [Step] = []
  /// The intervals of codes.
  package internal(set) var intervals: [ClosedRange<UInt64>] = []
  /// The texts, both as contiguous bytes and as strings for Swift to compare.
  package internal(set) var constants = TextConstants()
  private var start = Outcome.failed

  /// A program for a condition.
  ///
  /// - Precondition: The condition has at most ``stepCountMax`` tests.
  package init(_ condition: NormalCondition) {
    let count = condition.testCount
    precondition(
      count <= Self.stepCountMax, "a condition of \(count) tests; the limit is \(Self.stepCountMax)"
    )
    start = add(condition, Outcome.met, Outcome.failed)
  }

  /// Whether a row meets the condition; absent rows and aliases never do.
  ///
  /// - Complexity: O(tests); texts that aren't plain are converted to strings for comparison.
  @inline(__always)
  package func matches(_ row: RowView) -> Bool {
    guard row.isPresent else { return false }
    let steps = steps.span
    var next = start
    while next >= 0 {
      let step = steps[Int(next)]
      next = passes(step, row) ? step.whenPassed : step.whenFailed
    }
    return next == Outcome.met
  }

  @inline(__always)
  private func passes(_ step: Step, _ row: RowView) -> Bool {
    let index = Int(step.index)
    guard row.has(index) else { return false }
    switch step.operation {
    case .isPresent: return true
    case .isInRange: return row.slot(index) &- step.first <= step.second
    case .isDoubleInRange:
      return FixedOrder.code(of: row.slot(index), .double) &- step.first <= step.second
    default: return passesOther(step, row)
    }
  }

  private func passesOther(_ step: Step, _ row: RowView) -> Bool {
    let index = Int(step.index)
    switch step.operation {
    case .isInIntervals: return isInIntervals(FixedOrder.code(of: row.slot(index), step.kind), step)
    case .isOneOf: return constants.contain(row.variable(index), among: step.range)
    case .isLess: return compare(row.variable(index), step) < 0
    case .isLessOrEqual: return compare(row.variable(index), step) <= 0
    case .isGreater: return compare(row.variable(index), step) > 0
    case .isGreaterOrEqual: return compare(row.variable(index), step) >= 0
    case .hasPrefix: return constants.isPrefix(at: step.range.lowerBound, of: row.variable(index))
    case .intersects: return constants.contain(anyOf: row.variable(index), among: step.range)
    case .isPresent, .isInRange, .isDoubleInRange: return false
    }
  }

  private func compare(_ text: RawSpan, _ step: Step) -> Int {
    TextOrder.compare(text, constants.bytes(at: step.range.lowerBound))
  }

  private func isInIntervals(_ code: UInt64, _ step: Step) -> Bool {
    var range = step.range
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let interval = intervals[middle]
      if code < interval.lowerBound {
        range = range.lowerBound..<middle
      } else if code > interval.upperBound {
        range = (middle + 1)..<range.upperBound
      } else {
        return true
      }
    }
    return false
  }
}

extension ConditionProgram.Step {
  /// The places of the constants.
  @inline(__always)
  var range: Range<Int> { Int(first)..<Int(second) }
}
