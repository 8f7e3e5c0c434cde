package import EventStore

/// The reducer of a leaderboard.
package struct LeaderboardRules: Reducer {
  package let version: Int
  package let views: [ViewDefinition]

  package var collections: [RowCollection] { [Leaderboard.players] }

  package func reduce(
    _ event: borrowing RecordView, into state: inout ReducerState
  ) throws(Refusal) {
    let happening: PlayerHappening
    do throws(PayloadError) {
      happening = try PlayerHappening(event.header.kind, event.payload)
    } catch {
      throw Refusal("\(error)")
    }
    try reduce(happening, into: &state)
  }

  package func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) {
    let happening = try? PlayerHappening(event.header.kind, event.payload)
    guard let id = happening?.player else { return }
    Foresight.tell(id, in: Leaderboard.players, of: event, &names)
  }

  private func reduce(
    _ happening: PlayerHappening, into state: inout ReducerState
  ) throws(Refusal) {
    switch happening {
    case .join(let id, let country):
      let player = try state.row(id, in: Leaderboard.players)
      state[player, Leaderboard.country] = country
    case .score(let id, let points):
      let player = try existing(id, &state)
      state[player, Leaderboard.score] = (state[player, Leaderboard.score] ?? 0) &+ points
    case .rename(let id, let name): state[try existing(id, &state), Leaderboard.name] = name
    case .rate(let id, let rating): state[try existing(id, &state), Leaderboard.rating] = rating
    case .retire(let id, let flag): state[try existing(id, &state), Leaderboard.isRetired] = flag
    case .leave(let id):
      if let player = state.find(id, in: Leaderboard.players) { state.delete(player) }
    case .reset(let points):
      for player in state.rows(in: ListName(PlayerViews.everyoneName)) {
        state[player, Leaderboard.score] = points
      }
    case .unknown: break
    }
  }

  private func existing(_ id: String, _ state: inout ReducerState) throws(Refusal) -> RowHandle {
    guard let player = state.find(id, in: Leaderboard.players) else {
      throw Refusal("there is no such player")
    }
    return player
  }
}
