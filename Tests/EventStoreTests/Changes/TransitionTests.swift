import EventStore
import TestSupport
import Testing

@Suite struct TransitionTests {
  /// Returns the old indices of moved rows; `order` holds the old index of each row of the new
  /// list.
  private func moves(of order: [Int], touching: (Int) -> Bool = { _ in true }) -> [Int] {
    let touches = order.enumerated().filter { touching($0.element) }.map {
      Transition.Touch(.touched(0), old: $0.element, new: $0.offset)
    }
    let transition = Transition(
      oldCount: order.count, newCount: order.count,
      departures: touches.sorted { $0.old < $1.old }, arrivals: touches)
    let moves = transition.moves()
    #expect(moves.allSatisfy { order[$0.new] == $0.old })
    return moves.map(\.old)
  }

  /// Tries every choice of rows that may stay: the longest wins, then the lexicographically first.
  private func bestChoice(_ order: [Int]) -> [Int] {
    var best: [Int] = []
    for choice in 0..<1 << order.count {
      let rows = order.indices.filter { choice >> $0 & 1 == 1 }.map { order[$0] }
      guard zip(rows, rows.dropFirst()).allSatisfy(<), rows.count >= best.count else { continue }
      if rows.count > best.count || rows.lexicographicallyPrecedes(best) { best = rows }
    }
    return best
  }

  private func forEachOrder(of count: Int, _ body: ([Int]) -> Void) {
    func extend(_ order: [Int]) {
      guard order.count < count else { return body(order) }
      for next in 0..<count where !order.contains(next) { extend(order + [next]) }
    }
    extend([])
  }

  /// The moves don't depend on which rows count as touched, as long as the others kept their order.
  @Test func moves_ofAllSmallOrders_areFewestAndFirst() {
    for count in 0...5 {
      forEachOrder(of: count) { order in
        let staying = bestChoice(order)
        let expected = order.filter { !staying.contains($0) }
        #expect(FullDiff.longestIncrease(order) == staying, "\(order)")
        for touched in 0..<1 << count {
          let others = order.filter { touched >> $0 & 1 == 0 }
          guard others == others.sorted() else { continue }
          let moves = moves(of: order) { touched >> $0 & 1 == 1 }
          #expect(moves == expected, "\(order), touched \(touched)")
        }
      }
    }
  }

  /// Each row that is removed and inserted elsewhere counts as one touched row.
  @Test func moves_dependOnListsAlone() {
    for seed in 0..<UInt64(Campaign.size(300, long: 30_000)) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...40, using: &random)
      var order = Array(0..<count)
      var touched: Set<Int> = []
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let row = order.remove(at: Int.random(in: 0..<count, using: &random))
        order.insert(row, at: Int.random(in: 0..<count, using: &random))
        touched.insert(row)
      }
      let staying = Set(FullDiff.longestIncrease(order))
      let expected = order.filter { !staying.contains($0) }
      #expect(moves(of: order, touching: touched.contains) == expected, "seed \(seed)")
      #expect(moves(of: order) == expected, "seed \(seed)")
    }
  }

  @Test func neighbours_thatSwap_letTheFirstStay() {
    #expect(moves(of: [1, 0, 2]) { $0 == 0 } == [1])
    #expect(moves(of: [1, 0, 2]) { $0 == 1 } == [1])
    #expect(moves(of: [1, 2, 0]) { $0 == 0 } == [0])
    #expect(moves(of: [2, 3, 0, 1]) { $0 < 2 } == [2, 3])
  }

  @Test func runs_areAsLongAsCanBe() {
    let (gone, come) = (Transition.nowhere, Transition.nowhere)
    let transition = Transition(
      oldCount: 6, newCount: 6,
      departures: [.init(.touched(0), old: 2, new: 4), .init(.touched(1), old: 3, new: gone)],
      arrivals: [.init(.touched(2), old: come, new: 1), .init(.touched(0), old: 2, new: 4)])
    #expect(
      transition.runs == [
        .init(old: 0, new: 0, count: 1), .init(old: 1, new: 2, count: 1),
        .init(old: 4, new: 3, count: 1), .init(old: 5, new: 5, count: 1),
      ])
  }

  @Test func window_namesDisplacedRowsByTheirPlaceInTheWholeList() {
    let insertion = [Transition.Touch(.touched(7), old: Transition.nowhere, new: 1)]
    let transition = Transition(oldCount: 9, newCount: 10, departures: [], arrivals: insertion)
    let seen = transition.seen(through: ListWindow(lowerBound: 2, upperBound: 5))
    #expect(
      seen
        == Transition(
          oldCount: 3, newCount: 3,
          departures: [.init(.untouched(at: 5), old: 2, new: Transition.nowhere)],
          arrivals: [.init(.untouched(at: 2), old: Transition.nowhere, new: 0)]))
  }
}
