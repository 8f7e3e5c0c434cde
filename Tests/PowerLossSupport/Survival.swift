/// The random choices of one power cut.
///
/// This is a class so that all files draw from the same dice in turn.
final class Survival {
  private var dice: Dice
  private let survivors: PowerCut.Survivors
  /// The percentage of changes that survive.
  private let percent: Int
  private let inOrder: Bool

  init(_ survivors: PowerCut.Survivors) {
    self.survivors = survivors
    dice = if case .some(let seed) = survivors { Dice(seed: seed) } else { Dice(seed: 0) }
    percent = [5, 25, 50, 75, 95][Int(dice.next() % 5)]
    inOrder = dice.chance(50)
  }

  /// Returns the surviving changes, shuffled in half of the cuts.
  func drawn<Change>(from changes: [Change]) -> [Change] {
    let kept = subset(of: changes)
    guard case .some = survivors, !inOrder else { return kept }
    return kept.shuffled(using: &dice)
  }

  /// Returns the surviving changes, in order.
  func subset<Change>(of changes: [Change]) -> [Change] {
    switch survivors {
    case .none: []
    case .all: changes
    case .some: changes.filter { _ in dice.chance(percent) }
    }
  }

  /// Returns a prefix of the changes, so that no change survives without the earlier ones.
  func prefix<Change>(of changes: [Change]) -> ArraySlice<Change> {
    switch survivors {
    case .none: []
    case .all: changes[...]
    case .some: changes.prefix(Int.random(in: 0...changes.count, using: &dice))
    }
  }
}
