import Foundation
import TestSupport
import Testing
import TidelineSimulator

@Suite struct SimulationTests {
  private func run(_ plan: SimulationPlan) throws -> Simulation {
    let simulation = try Simulation(plan)
    try simulation.run()
    return simulation
  }

  @Test func nothingWrong() throws {
    let simulation = try run(SimulationPlan(seed: 1))
    #expect(simulation.violations == [])
    #expect(simulation.counts["intent", default: 0] > 50)
  }

  @Test(arguments: 1...30) func drawn(_ seed: UInt64) throws {
    let simulation = try run(.drawn(seed))
    #expect(simulation.violations == [], "seed \(seed)")
  }

  /// `TIDELINE_SEED=7 swift test --filter SimulationTests/story` prints what happens with a seed.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["TIDELINE_SEED"] != nil))
  func story() throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["TIDELINE_SEED"] ?? "") ?? 1
    let simulation = try Simulation(.drawn(seed), isTold: true)
    try simulation.run()
    print(simulation.story.joined(separator: "\n"))
  }
}
