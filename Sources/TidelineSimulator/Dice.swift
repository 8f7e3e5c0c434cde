/// Random numbers that are the same for the same seed, and choices that are made by them.
package struct Dice: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Those of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number (SplitMix64).
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Others, that go on by themselves: what is drawn of them changes nothing here.
  package mutating func split() -> Dice { Dice(seed: next()) }

  /// Whether something happens that does so many times in a thousand.
  ///
  /// One number is drawn whatever the share is, so that a share of 0 shifts nothing behind it.
  package mutating func happens(_ share: Int) -> Bool { next() % 1000 < UInt64(max(share, 0)) }

  /// A number of a range that is not empty.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// A duration of so many milliseconds.
  package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(number(range))
  }

  /// One of several, or `nil` where there are none.
  package mutating func pick<Choices: RandomAccessCollection>(
    _ choices: Choices
  ) -> Choices.Element? {
    guard !choices.isEmpty else { return nil }
    return choices[choices.index(choices.startIndex, offsetBy: number(0...(choices.count - 1)))]
  }

  /// One of several, each as often as its weight says; `nil` where no weight is above 0.
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
