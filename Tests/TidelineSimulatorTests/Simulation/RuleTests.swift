import Testing
import TidelineSimulator

/// That broken rules are found: where a server can't be trusted, nobody can keep them.
@Suite struct RuleTests {
  private func broken(
    _ seed: UInt64, _ fill: (inout SimulationPlan) -> Void
  ) throws -> Set<Rule> {
    var plan = SimulationPlan(seed: seed)
    (plan.devices, plan.seconds) = (1, 120)
    fill(&plan)
    let simulation = try Simulation(plan)
    try simulation.run()
    return Set(simulation.violations.map(\.rule))
  }

  @Test func requestsThatArriveTwice_atAServerWithoutKeys_areDoneTwice() throws {
    let rules = try broken(3) {
      $0.manners.keyInterval = nil
      $0.faults.shares[.twice] = 700
    }
    #expect(rules.contains(.once))
  }

  /// In that one somebody logs out while it isn't known whether a draft was sent, and wants it sent
  /// again.
  @Test func whatWasDroppedAndIsWantedAgain_mayBeDoneTwice() throws {
    let simulation = try Simulation(.drawn(543_468))
    try simulation.run()
    #expect(simulation.violations == [])
  }

  @Test func requestsThatArriveTwice_atAServerWithKeys_areDoneOnce() throws {
    #expect(try !broken(3) { $0.faults.shares[.twice] = 700 }.contains(.once))
  }
}
