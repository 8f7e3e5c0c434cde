package import EventStore
package import TestSupport

/// The views of a leaderboard.
package struct PlayerViews: Sendable {
  /// The views.
  package var all: [PlainView<Player>]

  /// Their definitions.
  package var definitions: [ViewDefinition] { all.map(\.definition) }

  /// The name of the view of all players, which the reducer itself needs.
  static let everyoneName = "everyone"
  fileprivate static let everyone = PlainView<Player>(everyoneName, of: Leaderboard.players)
}

/// A player's fields, which define the views.
private enum PlainPlayer {
  static let name = PlainField<Player, String>(Leaderboard.name) { $0.name }
  static let score = PlainField<Player, Int>(Leaderboard.score) { $0.score }
  static let country = PlainField<Player, String>(Leaderboard.country) { $0.country }
  static let isRetired = PlainField<Player, Bool>(Leaderboard.isRetired) { $0.isRetired }
  static let rating = PlainField<Player, Double>(Leaderboard.rating) { $0.rating }

  /// The order of numbers, with NaN after all of them.
  static let byStrength: @Sendable (Double, Double) -> Bool = { a, b in
    a.isNaN ? false : b.isNaN || a < b
  }
}

extension Leaderboard {
  /// Players by score, players by country, active players, and all.
  package static let views = PlayerViews(all: [
    PlainView(
      "ranking", of: players, where: PlainPlayer.score != nil,
      orderedBy: [PlainPlayer.score.descending, PlainPlayer.name.ascending]),
    PlainView(
      "countries", of: players, orderedBy: [PlainPlayer.score.descending],
      groupedBy: PlainPlayer.country.groups),
    PlainView(
      "active", of: players, where: PlainPlayer.isRetired != true,
      orderedBy: [PlainPlayer.rating.descending(by: PlainPlayer.byStrength)]),
    PlayerViews.everyone,
  ])

  /// Returns views with random conditions, groups and orders, and the one that the reducer needs.
  package static func randomViews(using generator: inout SeededGenerator) -> PlayerViews {
    var views = PlayerViews(all: [PlayerViews.everyone])
    for number in 0..<Int.random(in: 1...5, using: &generator) {
      views.all.append(
        PlainView(
          "random \(number)", of: players, where: PlainPlayer.condition(using: &generator),
          orderedBy: PlainPlayer.order(using: &generator),
          groupedBy: generator.onceIn(3) ? PlainPlayer.country.groups : nil))
    }
    return views
  }
}

extension PlainPlayer {
  fileprivate static func condition(
    using generator: inout SeededGenerator
  ) -> PlainCondition<Player> {
    let some: PlainCondition<Player>
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: some = .always
    case 1: some = score > generator.one(of: PlayerMix.points)
    case 2: some = rating <= generator.one(of: PlayerMix.ratings)
    case 3: some = isRetired == generator.one(of: [nil, true, false])
    default: some = country != generator.one(of: PlayerMix.countries)
    }
    guard generator.onceIn(2) else { return some }
    let other = condition(using: &generator)
    return generator.onceIn(2) ? some && !other : some || other
  }

  fileprivate static func order(using generator: inout SeededGenerator) -> [PlainOrder<Player>] {
    let all = [
      name.ascending, name.descending, score.ascending, score.descending, country.ascending,
      rating.ascending(by: byStrength), rating.descending(by: byStrength),
    ]
    return Array(all.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator)))
  }
}
