/// A moment at which the power goes, and what of the unflushed has reached the medium by then.
package struct PowerCut: Hashable, Sendable {
  /// What a file system promises about the names of files.
  package enum Habit: String, Hashable, Sendable, CaseIterable {
    /// As ext4 does: names change in order, and any flush makes all earlier changes durable.
    case journalled
    /// As POSIX allows: a change of names is durable once its folder was flushed, and any
    /// subset of the others may have been kept.
    case harsh
  }

  /// Which unflushed changes are kept.
  package enum Survivors: Hashable, Sendable {
    case none
    case all
    /// Some, drawn by these dice: pages of writes each for itself and out of order, changes of
    /// size and of names.
    case some(seed: UInt64)
  }

  /// How many operations had happened.
  package let moment: Int
  package let survivors: Survivors

  package init(at moment: Int, _ survivors: Survivors) {
    self.moment = moment
    self.survivors = survivors
  }
}

extension Trace {
  /// Just before each flush with nothing and with everything unflushed kept, just after each
  /// with nothing kept, and the same at the end; only of flushes in `range` of the operations.
  package func boundaries(in range: Range<Int>? = nil) -> [PowerCut] {
    let end = operations.count
    let flushes = flushes.filter { range?.contains($0) ?? true }
    return flushes.flatMap { flush in
      [
        PowerCut(at: flush, .none), PowerCut(at: flush, .all), PowerCut(at: flush + 1, .none),
      ]
    } + [PowerCut(at: end, .none), PowerCut(at: end, .all)]
  }

  /// So many cuts at random moments, of those in `range`, with random survivors.
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
