import TidelineSimulator

/// Runs simulations: `SimulationRunner 1 500` those of seeds from one to another, and
/// `SimulationRunner 7` that of one seed, whose story it prints.
@main enum Main {
  static func main() throws {
    let seeds = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard let first = seeds.first, let last = seeds.dropFirst().first ?? seeds.first,
      first <= last
    else { return print("usage: SimulationRunner SEED [LAST]") }
    let isStory = seeds.count == 1
    let clock = ContinuousClock()
    let start = clock.now
    var (steps, broken) = (0, 0)
    for seed in first...last {
      let simulation = try Simulation(.drawn(seed), isTold: isStory)
      try simulation.run()
      steps += simulation.steps
      if isStory { simulation.story.forEach { print($0) } }
      guard !simulation.violations.isEmpty else { continue }
      broken += 1
      for violation in simulation.violations {
        print("seed \(seed) \(violation.rule): \(violation.description)")
      }
    }
    let seconds = (clock.now - start) / .seconds(1)
    print("\(last - first + 1) seeds, \(broken) broken, \(steps) steps in \(Int(seconds)) s")
  }
}
