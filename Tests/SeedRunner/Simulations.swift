import TidelineSimulator

/// Simulations whose rules must hold whatever goes wrong.
enum Simulations {
  static func tally(of seed: UInt64) throws -> Tally { tally(try run(seed, isTold: false), seed) }

  /// Prints all events of the simulation.
  static func story(of seed: UInt64) throws -> Tally {
    let simulation = try run(seed, isTold: true)
    simulation.story.forEach { print($0) }
    return tally(simulation, seed)
  }

  private static func run(_ seed: UInt64, isTold: Bool) throws -> Simulation {
    let simulation = try Simulation(.drawn(seed), isTold: isTold)
    try simulation.run()
    return simulation
  }

  private static func tally(_ simulation: Simulation, _ seed: UInt64) -> Tally {
    let findings = simulation.violations.map { "\($0.rule): \($0.description)" }
    var tally = Tally(seed: seed, findings: findings)
    for (fault, number) in simulation.faults { tally.count("faults", fault.rawValue, number) }
    for (name, number) in simulation.counts { tally.count("happened", name, number) }
    tally.count("made", "decisions", simulation.steps)
    tally.count("made", "records", simulation.recordCount)
    tally.count("made", "seconds of virtual time", simulation.seconds)
    return tally
  }
}
