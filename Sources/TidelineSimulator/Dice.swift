/// Random numbers that repeat for the same seed, and choices made with them.
package struct Dice: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Creates dice with a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next number (SplitMix64).
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns independent dice, whose draws do not affect these.
  package mutating func split() -> Dice { Dice(seed: next()) }

  /// Returns `true` with a probability of `share` in a thousand.
  ///
  /// It always draws one number, so that a share of 0 does not shift later draws.
  package mutating func happens(_ share: Int) -> Bool { next() % 1000 < UInt64(max(share, 0)) }

  /// Returns a number in a range that is not empty.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Returns a duration within a range of milliseconds.
  package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(number(range))
  }

  /// Returns one of several choices, or `nil` if there are none.
  package mutating func pick<Choices: RandomAccessCollection>(
    _ choices: Choices
  ) -> Choices.Element? {
    guard !choices.isEmpty else { return nil }
    return choices[choices.index(choices.startIndex, offsetBy: number(0...(choices.count - 1)))]
  }

  /// Returns one of several choices, in proportion to their weights; `nil` if no weight is above 0.
  package mutating func pick<Choice>(weighted choices: [(choice: Choice, weight: Int)]) -> Choice? {
    let sum = choices.reduce(0) { $0 + $1.weight }
    guard sum > 0 else { return nil }
    var place = number(0...(sum - 1))
    for (choice, weight) in choices {
      if place < weight { return choice }
      place -= weight
    }
    return nil
  }
}
