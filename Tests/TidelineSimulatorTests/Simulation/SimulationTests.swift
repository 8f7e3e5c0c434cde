import TestSupport
import Testing
import TidelineSimulator

/// Each simulation makes some hundred decisions, so the whole suite takes some seconds.
@Suite struct SimulationTests {
  private func run(_ plan: SimulationPlan) throws -> Simulation {
    let simulation = try Simulation(plan, isTold: true)
    try simulation.run()
    return simulation
  }

  private func calm(_ kind: SimulationPlan.Kind, _ seed: UInt64) -> SimulationPlan {
    var plan = SimulationPlan(seed: seed)
    (plan.kind, plan.seconds) = (kind, 60)
    return plan
  }

  @Test(arguments: SimulationPlan.Kind.allCases)
  func nothingGoesWrong_everythingComesTrue(_ kind: SimulationPlan.Kind) throws {
    let simulation = try run(calm(kind, 1))
    #expect(simulation.violations == [])
    #expect(simulation.counts["intent", default: 0] > 3)
    #expect(simulation.steps > 10)
  }

  @Test(.defect(.inboxKit, 9), arguments: SimulationPlan.Kind.allCases)
  func peopleLogOut_andIn_andNothingIsSentForOthers(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...4) { plan in
      (plan.seconds, plan.logoutShare) = (300, 100)
    }
    #expect(counts["logout", default: 0] > 3 && counts["login", default: 0] > 3)
    #expect((counts["second person checked", default: 0] > 0) == (kind != .marketingCloud))
  }

  /// Runs simulations without violations; returns how often what happened in them.
  private func counts(
    of kind: SimulationPlan.Kind, seeds: ClosedRange<UInt64>,
    _ disturb: (inout SimulationPlan) -> Void
  ) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for seed in seeds {
      var plan = calm(kind, seed)
      disturb(&plan)
      let simulation = try run(plan)
      counts.merge(simulation.counts) { $0 + $1 }
      #expect(simulation.violations == [], "seed \(seed)")
    }
    return counts
  }

  /// Changes in streams are applied, even if connections break or deliver late or twice.
  @Test(.feature(29)) func streams_areFollowed_whateverBecomesOfThem() throws {
    let counts = try counts(of: .mail, seeds: 1...4) { plan in
      (plan.seconds, plan.crashShare, plan.manners.tellsChanges) = (300, 3, true)
      plan.faults.shares = [.cut: 60, .twice: 60, .slow: 60, .lost: 60]
    }
    #expect(counts["stream told", default: 0] > 20 && counts["stream cut", default: 0] > 3)
  }

  /// Whatever servers refuse for a while, and wherever apps are meanwhile.
  @Test(arguments: SimulationPlan.Kind.allCases)
  func serversThatRefuseForAWhile_areObeyed(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...3) { plan in
      (plan.seconds, plan.throttledShare, plan.forbiddenShare) = (300, 80, 150)
      (plan.backgroundShare, plan.replyShare) = (200, 333)
    }
    #expect(counts["throttled", default: 0] > 0 && counts["background", default: 0] > 3)
    #expect((counts["forbidden", default: 0] > 0) == (kind == .mail))
  }

  /// Machines take over from others in the middle of everything, with what those knew.
  @Test(arguments: SimulationPlan.Kind.allCases)
  func suspendedStores_resume_andNothingIsLost(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...4) { plan in
      (plan.seconds, plan.suspensionShare, plan.hintShare) = (300, 60, 300)
      (plan.throttledShare, plan.connectionShare) = (80, 100)
    }
    #expect(counts["suspended", default: 0] > 10 && counts["resumed", default: 0] > 10)
    #expect(counts["ended while suspended", default: 0] > 0)
    #expect(counts["several hints", default: 0] > 10 && counts["hint kept", default: 0] > 0)
    #expect(kind != .mail || counts["question handed over", default: 0] > 0)
  }

  /// Logs are compacted in the middle of everything, and processes begin with what is left.
  @Test(arguments: SimulationPlan.Kind.allCases)
  func logsAreCompacted_andNothingIsLost(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...4) { plan in
      (plan.seconds, plan.compactionShare, plan.crashShare) = (300, 300, 10)
      (plan.fileShare, plan.replyShare, plan.suspensionShare) = (300, 333, 10)
      plan.faults.shares = [.failed: 60, .cut: 60]
    }
    #expect(counts["compacted", default: 0] > 3 && counts["crash", default: 0] > 0)
  }

  /// What was just recorded is lost now and then, while the process goes on.
  @Test(arguments: SimulationPlan.Kind.allCases)
  func fullDisks_areMadeUpFor(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...4) { plan in
      (plan.seconds, plan.fullDiskShare, plan.connectionShare) = (300, 100, 50)
      plan.faults.shares = [.failed: 60, .cut: 60]
    }
    #expect(counts["disk full", default: 0] > 3)
  }

  /// Each process begins without a token, and refreshes wait for it.
  @Test(arguments: SimulationPlan.Kind.allCases)
  func tokensThatComeLateOrNotAtAll_areWaitedFor(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...4) { plan in
      (plan.seconds, plan.tokenlessShare, plan.tokenShare) = (300, 400, 50)
      (plan.suspensionShare, plan.hintShare) = (20, 300)
    }
    #expect(counts["no token", default: 0] > 3 && counts["token", default: 0] > 0)
  }

  /// Clocks are set while something is held, put off or waited for.
  @Test(arguments: SimulationPlan.Kind.allCases)
  func clocksAreSet_andNothingWaitsForever(_ kind: SimulationPlan.Kind) throws {
    let counts = try counts(of: kind, seeds: 1...4) { plan in
      (plan.seconds, plan.clockShare, plan.throttledShare) = (300, 200, 80)
      (plan.suspensionShare, plan.crashShare) = (10, 5)
      plan.faults.shares = [.failed: 60, .cut: 60]
    }
    #expect(counts["clock set forward", default: 0] > 3)
    #expect(counts["clock set back", default: 0] > 3)
  }

  /// Files are uploaded once, and are on the drafts that they were added to.
  @Test func files_areAddedToDrafts() throws {
    let counts = try counts(of: .mail, seeds: 1...4) { plan in
      (plan.seconds, plan.fileShare, plan.crashShare) = (300, 600, 3)
      plan.faults.shares = [.cut: 60, .lost: 60, .twice: 60, .failed: 60]
    }
    #expect(counts["file added", default: 0] > 3)
  }

  /// Drafts are changed and deleted while they wait to be sent.
  @Test func secondThoughts_count() throws {
    let counts = try counts(of: .mail, seeds: 1...8) { plan in
      (plan.seconds, plan.regretShare, plan.connectionShare) = (300, 800, 100)
      plan.faults.shares = [.cut: 60, .lost: 60, .failed: 60]
    }
    #expect(counts["second thought", default: 0] > 50)
  }

  /// Pages are shorter than requested, each by another number, and some are empty.
  @Test func pagesThatAreShort_bringEverything() throws {
    let counts = try counts(of: .mail, seeds: 1...4) { plan in
      (plan.seconds, plan.stock, plan.purgeShare) = (120, 60, 10)
      (plan.manners.listedMax, plan.manners.shortPageShare) = (5, 300)
    }
    #expect(counts["short page", default: 0] > 20)
  }

  @Test func sameSeed_sameStory() throws {
    let stories = try (0..<2).map { _ in try run(.drawn(4)).story }
    #expect(stories[0] == stories[1] && stories[0].count > 100)
  }

  /// A seed that a document names must mean the same plan in every version.
  @Test func drawnPlan_staysTheSame() {
    let plan = SimulationPlan.drawn(768)
    let moods = [plan.throttledShare, plan.forbiddenShare, plan.backgroundShare, plan.replyShare]
    #expect(moods == [59, 125, 65, 333])
    let shares = [plan.suspensionShare, plan.hintShare, plan.tokenlessShare, plan.clockShare]
    #expect(shares == [19, 0, 396, 84])
  }

  @Test func drawnPlans_holdWhatIsWrong() {
    let plans = (1...200).map { SimulationPlan.drawn($0) }
    #expect(Set(plans.map(\.kind)).count == 3)
    #expect(plans.contains { $0.crashShare > 0 } && plans.contains { $0.purgeShare > 0 })
    #expect(plans.contains { $0.logoutShare > 0 } && plans.contains { $0.manners.tellsChanges })
    #expect(plans.contains { $0.throttledShare > 0 } && plans.contains { $0.forbiddenShare > 0 })
    #expect(plans.contains { $0.backgroundShare > 0 } && plans.contains { $0.replyShare > 0 })
    #expect(plans.contains { $0.suspensionShare > 0 } && plans.contains { $0.hintShare > 0 })
    #expect(plans.contains { $0.tokenlessShare > 0 } && plans.contains { $0.clockShare > 0 })
    #expect(plans.contains { $0.fileShare > 0 } && plans.contains { $0.compactionShare > 0 })
    #expect(plans.contains { $0.fullDiskShare > 0 } && plans.contains { $0.regretShare > 0 })
    #expect(plans.contains { $0.manners.listedMax < $0.manners.pageMax })
    #expect(plans.contains { $0.manners.shortPageShare > 0 })
    for fault in Fault.allCases { #expect(plans.contains { $0.faults.shares[fault] != nil }) }
  }

  @Test(.feature(27, 45, 49, 50), .rule(13, 14), .defect(.powerSync, 5)) func manySeeds() throws {
    var counts: [String: Int] = [:]
    for seed in 1...UInt64(Campaign.size(12, long: 500)) {
      let simulation = try run(.drawn(seed))
      counts.merge(simulation.counts) { $0 + $1 }
      #expect(simulation.violations == [], "seed \(seed)")
    }
    #expect(counts["crash", default: 0] > 0 && counts["happening", default: 0] > 100)
  }
}
