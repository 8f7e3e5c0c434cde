import EventStore
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// One event that touches every row.
@Suite(.timeLimit(.minutes(5))) struct WholeListTests {
  private let count = Campaign.size(1_500, long: 12_000)

  /// Takes a few seconds, since each row has to be one of very many.
  @Test(.defect(.grdb, 1)) func season_thatBeginsAnew_isOneChange() async throws {
    let store = try await StoreUnderTest<Leaderboard>(Leaderboard.rules(Leaderboard.views))
    var history = PlainHistory(LeaderboardModel(views: Leaderboard.views))
    let panes = [
      Pane(view: "ranking", group: nil, window: ListWindow(upperBound: 20, hasTotal: true)),
      Pane(view: "ranking", group: nil, window: ListWindow(lowerBound: 700, upperBound: 720)),
      Pane(view: "countries", group: "AT", window: ListWindow(upperBound: 50)),
    ]
    var shown: [(Pane, Shown)] = []
    for pane in panes { shown.append((pane, try await Shown(pane, in: store))) }
    for batch in joining() + [[.reset(7)], [.score("player 77", 1)], [.reset(nil)]] {
      history.append(batch)
      _ = try await store.append([batch])
      for (pane, shown) in shown {
        #expect(shown.list.elementsEqual(history.sight(of: pane, at: history.count).rows))
        #expect(shown.lastCount <= 1, "\(shown.lastCount) changes of one batch")
      }
    }
    try await store.undergo(.reopening, missing: [])
    for pane in panes {
      #expect(try await store.sight(of: pane) == history.sight(of: pane, at: history.count))
    }
    await store.close()
  }

  /// Returns players that join and score, each a different number of points.
  private func joining() -> [[PlayerHappening]] {
    stride(from: 0, to: count, by: 500).map { joining($0..<min($0 + 500, count)) }
  }

  private func joining(_ numbers: Range<Int>) -> [PlayerHappening] {
    var happenings: [PlayerHappening] = []
    for number in numbers {
      let id = "player \(number)"
      happenings.append(.join(id, country: ["AT", "DE", nil][number % 3]))
      happenings.append(.score(id, number * 7919 % count))
    }
    return happenings
  }
}

/// What a pane shows, from its changes alone.
private final class Shown: Sendable {
  private let state: Mutex<(list: RowList, count: Int)> = Mutex(([], 0))
  private let pane: Mutex<ShownView?> = Mutex(nil)

  init(_ pane: Pane, in store: StoreUnderTest<Leaderboard>) async throws {
    let view = try await store.show(pane) { [self] delivery in
      state.withLock { $0 = (delivery.set.applying(to: $0.list), $0.count + 1) }
    }
    self.pane.withLock { $0 = view }
  }

  var list: RowList { state.withLock { $0.list } }

  /// The number of changes since this property was last read.
  var lastCount: Int {
    state.withLock { state in
      defer { state.count = 0 }
      return state.count
    }
  }
}
