/// A set of unsigned integers from 0 to a greatest one, as intervals.
///
/// Intervals ascend, and neither overlap nor touch, so equal sets have equal representations.
package struct IntervalSet: Hashable, Sendable {
  /// The greatest possible integer.
  package let greatest: UInt64
  /// The intervals.
  package private(set) var intervals: [ClosedRange<UInt64>]

  /// The union of the given intervals.
  package init(_ intervals: [ClosedRange<UInt64>], upTo greatest: UInt64) {
    self.greatest = greatest
    self.intervals = []
    for interval in intervals.sorted(by: { $0.lowerBound < $1.lowerBound }) { add(interval) }
  }

  /// Adds an interval that begins no earlier than the last one.
  private mutating func add(_ interval: ClosedRange<UInt64>) {
    guard let last = intervals.last, touches(last, interval) else {
      return intervals.append(interval)
    }
    let upper = max(last.upperBound, interval.upperBound)
    intervals[intervals.count - 1] = last.lowerBound...upper
  }

  private func touches(_ left: ClosedRange<UInt64>, _ right: ClosedRange<UInt64>) -> Bool {
    left.upperBound == .max || left.upperBound + 1 >= right.lowerBound
  }

  /// Whether the set is empty.
  package var isEmpty: Bool { intervals.isEmpty }
  /// Whether the set contains all integers.
  package var isFull: Bool { intervals == [0...greatest] }

  /// Returns the integers in either set.
  ///
  /// - Complexity: O((n + m) log(n + m))
  package func union(_ other: IntervalSet) -> IntervalSet {
    IntervalSet(intervals + other.intervals, upTo: greatest)
  }

  /// Returns the integers in both sets.
  ///
  /// - Complexity: O((n + m) log(n + m))
  package func overlap(with other: IntervalSet) -> IntervalSet {
    complement.union(other.complement).complement
  }

  /// The integers that are not in the set.
  var complement: IntervalSet {
    var gaps: [ClosedRange<UInt64>] = []
    var next: UInt64? = 0
    for interval in intervals {
      if let next, next < interval.lowerBound { gaps.append(next...(interval.lowerBound - 1)) }
      next = interval.upperBound < greatest ? interval.upperBound + 1 : nil
    }
    if let next { gaps.append(next...greatest) }
    return IntervalSet(gaps, upTo: greatest)
  }
}
