import EventStore
import Tideline

/// What a simulation is made of, all of it drawn from one seed.
package struct SimulationPlan: Hashable, Sendable {
  /// Which server there is.
  package enum Kind: CaseIterable, Hashable, Sendable {
    case mail, marketingCloud, engage
  }

  /// What everything is drawn from.
  package var seed: UInt64
  /// Which server there is.
  package var kind = Kind.mail
  /// How many devices there are.
  package var devices = 2
  /// How long everything goes on, in seconds.
  package var seconds = 600
  /// What goes wrong on the way.
  package var faults = FaultPlan()
  /// What the mail server does differently.
  package var manners = MailManners()
  /// Of a thousand steps, after how many a device crashes.
  package var crashShare = 0
  /// Of a thousand flushes, how many fail.
  package var failingFlushShare = 0
  /// Of a thousand steps, after how many a device loses its network, or finds one.
  package var connectionShare = 0
  /// Of a thousand steps, after how many tokens are refused from then on.
  package var tokenShare = 0
  /// Of a thousand steps, after how many the server forgets old cursors.
  package var purgeShare = 0
  /// Of a thousand steps, after how many somebody logs out.
  package var logoutShare = 0
  /// Of a thousand parts of batches, how many fail, and how many aren't mentioned.
  package var partShare = 0
  /// How many threads or messages there are at the beginning.
  package var stock = 12

  /// A simulation in which nothing goes wrong.
  package init(seed: UInt64) { self.seed = seed }

  /// A simulation in which what goes wrong, and how often, is drawn from the seed.
  package static func drawn(_ seed: UInt64) -> SimulationPlan {
    var (plan, dice) = (SimulationPlan(seed: seed), Dice(seed: seed ^ 0x5EED))
    plan.kind = dice.pick(weighted: [(.mail, 6), (.marketingCloud, 1), (.engage, 1)]) ?? .mail
    plan.devices = dice.number(1...3)
    plan.seconds = dice.number(30...300)
    plan.stock = dice.number(0...30)
    for fault in Fault.allCases where dice.happens(400) {
      plan.faults.shares[fault] = dice.number(1...80)
    }
    plan.crashShare = dice.happens(500) ? dice.number(1...10) : 0
    plan.failingFlushShare = dice.happens(200) ? dice.number(1...5) : 0
    plan.connectionShare = dice.happens(500) ? dice.number(10...100) : 0
    plan.tokenShare = dice.happens(200) ? dice.number(1...5) : 0
    plan.purgeShare = dice.happens(300) ? dice.number(1...10) : 0
    plan.partShare = dice.happens(500) ? dice.number(1...200) : 0
    plan.manners = .drawn(&dice)
    if plan.manners.keyInterval == nil { plan.faults.forgetRepetitions() }
    var logins = plan.loginDice
    plan.logoutShare = logins.happens(300) ? logins.number(5...60) : 0
    var lines = plan.lineDice
    plan.manners.tellsChanges = lines.happens(300)
    return plan
  }

  /// What becomes of logins is drawn from this: all else is the same whatever that is.
  var loginDice: Dice { Dice(seed: seed ^ 0x1061) }

  /// Whether streams are followed is drawn from this: not for the seeds that documents name, which
  /// are to tell what they told.
  var lineDice: Dice { Dice(seed: seed ^ 0x1011) }

  /// How the servers of these kinds behave.
  var policy: PolicySwitches {
    switch kind {
    case .mail: .inbox
    case .marketingCloud: .marketingCloud
    case .engage: .engage
    }
  }
}

extension MailManners {
  fileprivate static func drawn(_ dice: inout Dice) -> MailManners {
    var manners = MailManners()
    manners.deletes = dice.happens(800)
    manners.findsSent = dice.happens(700)
    manners.sendsAgain = dice.happens(500)
    manners.keyInterval = dice.happens(800) ? .seconds(86_400) : nil
    manners.lateShare = dice.happens(200) ? dice.number(1...300) : 0
    manners.staleShare = dice.happens(400) ? dice.number(1...500) : 0
    manners.shortShare = dice.happens(300) ? 300 : 0
    manners.partsMax = dice.happens(200) ? 10 : 1
    manners.pageMax = dice.number(3...40)
    return manners
  }
}

extension FaultPlan {
  /// Has nothing be done behind the back of who asked for it: what no server can guard against that
  /// knows no keys.
  fileprivate mutating func forgetRepetitions() {
    for fault in [Fault.stray, .twice, .lied] { shares[fault] = nil }
  }
}
