/// A moment when the power is lost, and which unflushed changes reached the medium before it.
package struct PowerCut: Hashable, Sendable {
  /// What a file system promises about the names of files.
  package enum Habit: String, Hashable, Sendable, CaseIterable {
    /// As ext4 does: names change in order, and any flush makes all earlier changes durable.
    case journalled
    /// As POSIX allows: a change of names is durable once its folder is flushed, and any subset of
    /// the other changes may survive.
    case harsh
  }

  /// Which unflushed changes are kept.
  package enum Survivors: Hashable, Sendable {
    case none
    case all
    /// Some, chosen by these dice: each page of a write independently and out of order, and changes
    /// of size and of names.
    case some(seed: UInt64)
  }

  /// The number of operations completed before the cut.
  package let moment: Int
  package let survivors: Survivors

  package init(at moment: Int, _ survivors: Survivors) {
    self.moment = moment
    self.survivors = survivors
  }
}

extension Trace {
  /// Returns cuts around each flush in `range` of the operations, and at the end of the trace.
  ///
  /// Cuts before a flush and at the end keep none or all of the unflushed changes; cuts after a
  /// flush keep none. Without a range, every flush counts.
  package func boundaries(in range: Range<Int>? = nil) -> [PowerCut] {
    let end = operations.count
    let flushes = flushes.filter { range?.contains($0) ?? true }
    return flushes.flatMap { flush in
      [
        PowerCut(at: flush, .none), PowerCut(at: flush, .all), PowerCut(at: flush + 1, .none),
      ]
    } + [PowerCut(at: end, .none), PowerCut(at: end, .all)]
  }

  /// Returns `count` cuts at random moments, in `range` if given, with random survivors.
  package func randomCuts(
    _ count: Int, in range: Range<Int>? = nil, seed: UInt64
  ) -> [PowerCut] {
    var dice = Dice(seed: seed)
    let range = range ?? 0..<operations.count
    return (0..<count).map { _ in
      let moment = Int.random(in: range.lowerBound...range.upperBound, using: &dice)
      return PowerCut(at: moment, .some(seed: dice.next()))
    }
  }
}
