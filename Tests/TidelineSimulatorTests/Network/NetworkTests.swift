import EventStore
import Testing
import TidelineSimulator

@Suite struct NetworkTests {
  private func routes(_ plan: FaultPlan, count: Int = 1000) -> (routes: [Route], Network) {
    var network = Network(plan, seed: 5)
    return ((0..<count).map { _ in network.route(isOnline: true) }, network)
  }

  @Test func perfect_bringsEverythingOnce() {
    let (routes, network) = routes(FaultPlan())
    #expect(routes.allSatisfy { $0.arrivals.count == 1 && $0.reply == .answer })
    #expect(network.counts.isEmpty)
  }

  @Test(arguments: Fault.allCases) func fault_happensAsOftenAsPlanned(_ fault: Fault) {
    let (routes, network) = routes(FaultPlan([fault: 250]))
    let count = network.counts[fault] ?? 0
    #expect((200...300).contains(count))
    let changed = routes.filter { route in
      route.arrivals.count != 1 || route.reply != .answer || route.arrivals[0] > .seconds(1)
    }
    #expect(abs(changed.count - count) <= (fault == .slow ? 20 : 0))
  }

  @Test func answerThatIsLost_wasGivenToTheServer() {
    let (routes, _) = routes(FaultPlan([.cut: 1000]), count: 10)
    #expect(routes.allSatisfy { $0.arrivals.count == 1 && $0.reply == .nothing })
    #expect(routes.allSatisfy { $0.arrivals[0] < $0.delay })
  }

  @Test func stray_arrivesAfterItWasGivenUp() {
    let (routes, _) = routes(FaultPlan([.stray: 1000]), count: 10)
    #expect(routes.allSatisfy { $0.arrivals[0] > $0.delay })
  }

  @Test func offline_nothingIsSent() {
    var network = Network(FaultPlan(), seed: 1)
    #expect(network.route(isOnline: false).reply == .notSent)
    #expect(network.route(isOnline: false).arrivals.isEmpty)
  }

  @Test func sameSeed_sameFaults() {
    let plan = FaultPlan(Dictionary(uniqueKeysWithValues: Fault.allCases.map { ($0, 50) }))
    #expect(routes(plan).routes == routes(plan).routes)
  }
}

@Suite struct AgendaTests {
  @Test func earliest_comesFirst_andInOrder() {
    var (agenda, dice) = (Agenda<Int>(), Dice(seed: 3))
    var expected: [(time: Int64, number: Int)] = []
    for number in 0..<500 {
      let time = Int64(dice.number(0...50))
      agenda.add(number, at: Timestamp(rawValue: time))
      expected.append((time, number))
    }
    expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    for entry in expected {
      let next = agenda.popFirst()
      #expect(next?.item == entry.number && next?.time.rawValue == entry.time)
    }
    #expect(agenda.popFirst() == nil && agenda.next == nil)
  }
}
