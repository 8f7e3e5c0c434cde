/// The dice of one power cut.
///
/// It is a class so that every file draws from the same dice in turn.
final class Survival {
  private var dice: Dice
  private let survivors: PowerCut.Survivors
  /// How many of 100 changes are kept.
  private let percent: Int
  private let inOrder: Bool

  init(_ survivors: PowerCut.Survivors) {
    self.survivors = survivors
    dice = if case .some(let seed) = survivors { Dice(seed: seed) } else { Dice(seed: 0) }
    percent = [5, 25, 50, 75, 95][Int(dice.next() % 5)]
    inOrder = dice.chance(50)
  }

  /// Those that are kept, in half of the cuts in another order.
  func drawn<Change>(from changes: [Change]) -> [Change] {
    let kept = subset(of: changes)
    guard case .some = survivors, !inOrder else { return kept }
    return kept.shuffled(using: &dice)
  }

  /// Those that are kept, in order.
  func subset<Change>(of changes: [Change]) -> [Change] {
    switch survivors {
    case .none: []
    case .all: changes
    case .some: changes.filter { _ in dice.chance(percent) }
    }
  }

  /// The first few, where later ones are never kept without the earlier.
  func prefix<Change>(of changes: [Change]) -> ArraySlice<Change> {
    switch survivors {
    case .none: []
    case .all: changes[...]
    case .some: changes.prefix(Int.random(in: 0...changes.count, using: &dice))
    }
  }
}
