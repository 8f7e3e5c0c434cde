package import EventStore

/// A leaderboard: players with scores, and seasons that reset all of them at once.
package enum Leaderboard: Toy {
  package typealias Model = LeaderboardModel
  package typealias Mix = PlayerMix

  /// The players.
  package static var collection: RowCollection { players }

  package static let players = RowCollection(
    "players", number: 7, name, score, country, isRetired, rating)
  /// The player's name.
  package static let name = Field<String>("name", 1)
  /// The points of this season.
  package static let score = Field<Int>("score", 2)
  /// The player's country.
  package static let country = Field<String>("country", 3)
  /// Whether the player has retired.
  package static let isRetired = Field<Bool>("isRetired", 4)
  /// The player's estimated strength.
  package static let rating = Field<Double>("rating", 5)

  /// Returns the reducer that maintains these views.
  package static func rules(_ views: PlayerViews, version: Int = 1) -> LeaderboardRules {
    LeaderboardRules(version: version, views: views.definitions)
  }
}

/// A player as a plain value.
package struct Player: PlainItem {
  package let id: String
  var name: String?
  var score: Int?
  var country: String?
  var isRetired: Bool?
  var rating: Double?

  init(_ id: String) { self.id = id }

  package var row: Row {
    Row(plain: id, in: Leaderboard.players) { row in
      row[Leaderboard.name] = name
      row[Leaderboard.score] = score
      row[Leaderboard.country] = country
      row[Leaderboard.isRetired] = isRetired
      row[Leaderboard.rating] = rating
    }
  }
}
