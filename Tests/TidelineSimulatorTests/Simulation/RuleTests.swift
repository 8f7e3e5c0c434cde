import EventStore
import Testing
import Tideline
import TidelineSimulator

/// Broken rules are found: with a server that can't be trusted, nobody can keep them.
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

  /// In this simulation somebody logs out while it isn't known whether a draft was sent, and then
  /// sends it again.
  @Test func whatWasDroppedAndIsWantedAgain_mayBeDoneTwice() throws {
    let simulation = try Simulation(.drawn(543_468))
    try simulation.run()
    #expect(simulation.violations == [])
  }

  /// In the first simulation a draft that was deleted elsewhere gets a second id at the server; in
  /// the other a thread is deleted while the answer to a change of its tags is lost.
  @Test(arguments: [UInt64(2008), 2512])
  func refusalsOfWhatIsGone_areKnownAsSuch(_ seed: UInt64) throws {
    let simulation = try Simulation(.drawn(seed))
    try simulation.run()
    #expect(simulation.violations == [])
  }

  @Test(arguments: [ObjectClass.thread, .message, .tag, .contact, .file])
  func whatTheServerDoesNotHave_isFound(_ objectClass: ObjectClass) throws {
    try expectFound(.mail) { _ in
      ObjectFact(objectClass, ObjectFields { $0.put(.id, "invented") })
    }
  }

  @Test(arguments: [
    (ObjectClass.message, InboxViews.unreadMessages, ObjectField.subject),
    (.message, InboxViews.unreadMessages, .body), (.tag, InboxViews.tags, .name),
    (.contact, InboxViews.contacts, .name), (.contact, InboxViews.contacts, .email),
    (.rich, InboxViews.allRich, .subject), (.rich, InboxViews.allRich, .body),
  ])
  func whatTheServerHasOtherwise_isFound(
    _ objectClass: ObjectClass, _ view: String, _ field: ObjectField
  ) throws {
    let kind = objectClass == .rich ? SimulationPlan.Kind.engage : .mail
    try expectFound(kind) { views in
      let rows = try views.rows(of: ListName(view, of: 1), in: 0..<1)
      let id = String(try #require(rows.first).id.dropFirst("1/".count))
      return ObjectFact(
        objectClass,
        ObjectFields {
          $0.put(.id, id)
          $0.put(.change, ObjectChange.changed)
          $0.put(field, "invented")
        })
    }
  }

  @Test func whatIsReadOnlyOnTheDevice_isFound() throws {
    try expectFound(.engage) { views in
      let rows = try views.rows(of: ListName(InboxViews.unreadRich, of: 1), in: 0..<1)
      let id = String(try #require(rows.first).id.dropFirst("1/".count))
      return ObjectFact(
        .rich,
        ObjectFields {
          $0.put(.id, id)
          $0.put(.change, ObjectChange.changed)
          $0.put(.isRead, true)
        })
    }
  }

  /// Runs a simulation, gives a device an invented fact, and checks that the next look finds it.
  private func expectFound(
    _ kind: SimulationPlan.Kind, _ fact: (borrowing StoreSnapshot) throws -> ObjectFact
  ) throws {
    var plan = SimulationPlan(seed: 1)
    (plan.kind, plan.devices, plan.stock, plan.seconds) = (kind, 1, 100, 60)
    let simulation = try Simulation(plan)
    try simulation.run()
    #expect(simulation.violations == [])
    let device = simulation.devices[0]
    try device.record([try fact(device.store.views)], .full, simulation.now)
    try simulation.check()
    #expect(simulation.violations.map(\.rule) == [.converges], "\(simulation.violations)")
  }

  @Test func requestsThatArriveTwice_atAServerWithKeys_areDoneOnce() throws {
    #expect(try !broken(3) { $0.faults.shares[.twice] = 700 }.contains(.once))
  }
}
