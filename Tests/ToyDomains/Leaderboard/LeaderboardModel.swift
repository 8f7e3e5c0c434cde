package import EventStore

/// A leaderboard's events, folded into a dictionary.
package struct LeaderboardModel: ToyModel {
  private let views: PlayerViews
  private var players: [String: Player] = [:]
  private var rows = PlainRows<Player>()

  package init(views: PlayerViews) { self.views = views }

  package var definitions: [ViewDefinition] { views.definitions }

  package mutating func rows(in view: String, group: String?) -> [Row] {
    guard let view = views.all.first(where: { $0.name == view }) else { return [] }
    return view.items(of: players.values, in: group).map { rows.row(of: $0) }
  }

  package func groups(of view: String) -> [String?] {
    views.all.first { $0.name == view }?.groups(of: players.values) ?? [nil]
  }

  package func row(_ id: String) -> Row? { players[id]?.row }

  package mutating func apply(_ happening: PlayerHappening, _: RecordNumber) -> Bool {
    switch happening {
    case .join(let id, let country): return join(id, country)
    case .score(let id, let points): return change(id) { $0.score = ($0.score ?? 0) &+ points }
    case .rename(let id, let name): return change(id) { $0.name = name }
    case .rate(let id, let rating): return change(id) { $0.rating = rating }
    case .retire(let id, let flag): return change(id) { $0.isRetired = flag }
    case .leave(let id):
      players[id] = nil
      rows.forget(id)
    case .reset(let points):
      for id in players.keys { _ = change(id) { $0.score = points } }
    case .unknown: break
    }
    return true
  }

  private mutating func join(_ id: String, _ country: String?) -> Bool {
    guard 1...RowFormat.idBytesMax ~= id.utf8.count else { return false }
    players[id, default: Player(id)].country = country
    rows.forget(id)
    return true
  }

  private mutating func change(_ id: String, _ body: (inout Player) -> Void) -> Bool {
    guard var player = players[id] else { return false }
    body(&player)
    players[id] = player
    rows.forget(id)
    return true
  }
}
