package import TestSupport

/// The likelihoods of a leaderboard's events.
package struct PlayerMix: ToyMix {
  /// The number of ids of players: with few, they collide.
  var idCount = 30
  /// One event in so many is a reset of all players.
  var resetEvery = 60
  /// One value in so many is `nil`.
  var nilEvery = 5

  /// The usual mix.
  package init() {}

  package static func random(using generator: inout SeededGenerator) -> PlayerMix {
    var mix = PlayerMix()
    mix.idCount = generator.one(of: [3, 10, 30, 80])
    mix.resetEvery = generator.one(of: [5, 60, 1000])
    mix.nilEvery = generator.one(of: [2, 5, 20])
    return mix
  }

  package func id(using generator: inout SeededGenerator) -> String {
    "player \(generator.low(below: idCount))"
  }

  package func happening(using generator: inout SeededGenerator) -> PlayerHappening {
    let id = id(using: &generator)
    let points = generator.one(of: Self.points)
    if generator.onceIn(resetEvery) { return .reset(maybe(points, using: &generator)) }
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<4:
      return .join(id, country: maybe(generator.one(of: Self.countries), using: &generator))
    case 4..<12: return .score(id, points)
    case 12..<14: return .rename(id, maybe(generator.one(of: Self.names), using: &generator))
    case 14..<16: return .rate(id, maybe(generator.one(of: Self.ratings), using: &generator))
    case 16, 17: return .retire(id, generator.onceIn(2))
    case 18: return .leave(id)
    default: return .unknown(999)
    }
  }

  private func maybe<Value>(_ value: Value, using generator: inout SeededGenerator) -> Value? {
    generator.onceIn(nilEvery) ? nil : value
  }

  static let points = [0, 1, 1, 1, 2, 10, -1]
  static let countries = ["AT", "DE", "JP", "", "\u{C5}land"]
  static let names = ["Ada", "ada", "Adam", "\u{C4}da", "Zuse", ""]
  static let ratings = [
    0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, 1e300, .leastNonzeroMagnitude,
  ]
}
