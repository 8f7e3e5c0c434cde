import EventStore
import Tideline

/// The parameters of a simulation, which is drawn from one seed.
package struct SimulationPlan: Hashable, Sendable {
  /// The kind of server.
  package enum Kind: CaseIterable, Hashable, Sendable {
    case mail, marketingCloud, engage
  }

  /// The seed of everything.
  package var seed: UInt64
  /// The kind of server.
  package var kind = Kind.mail
  /// The number of devices.
  package var devices = 2
  /// The duration of the simulation, in seconds.
  package var seconds = 600
  /// The faults of the network.
  package var faults = FaultPlan()
  /// The manners of the mail server.
  package var manners = MailManners()
  /// The number of crashes of a device per thousand steps.
  package var crashShare = 0
  /// The number of failed flushes per thousand.
  package var failingFlushShare = 0
  /// The number of changes of a device's connection per thousand steps.
  package var connectionShare = 0
  /// The number of token changes per thousand steps.
  package var tokenShare = 0
  /// The number of purges of old cursors per thousand steps.
  package var purgeShare = 0
  /// The number of logouts per thousand steps.
  package var logoutShare = 0
  /// The numbers of parts of batches per thousand that fail, and that aren't mentioned.
  package var partShare = 0
  /// The number of parcels per thousand that the server turns away, with the time to wait.
  package var throttledShare = 0
  /// The number of times per thousand steps that a mail account becomes read-only, or no longer is.
  package var forbiddenShare = 0
  /// The number of times per thousand steps that a device's app leaves the foreground, or returns.
  package var backgroundShare = 0
  /// The number of new drafts per thousand that answer a thread.
  package var replyShare = 0
  /// The number of suspensions of a device's store per thousand steps.
  package var suspensionShare = 0
  /// The number of times per thousand steps that several hints reach a device together.
  package var hintShare = 0
  /// The number of requests for a token per thousand that give none; if there are any, each process
  /// begins without a token.
  package var tokenlessShare = 0
  /// The number of times per thousand steps that a device's clock is set.
  package var clockShare = 0
  /// The number of edits of drafts per thousand that add a file.
  package var fileShare = 0
  /// The number of actions per thousand that are about drafts, mostly about one being sent.
  package var regretShare = 0
  /// The number of times per thousand steps that a device's log is compacted.
  package var compactionShare = 0
  /// The number of flushes per thousand that find the disk full, so that the records are lost.
  package var fullDiskShare = 0
  /// The number of initial events at the server.
  package var stock = 12

  /// Creates a plan without faults.
  package init(seed: UInt64) { self.seed = seed }

  /// Draws a plan, with its faults and their frequencies, from a seed.
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
    plan.draw(
      [
        (\.throttledShare, 5...80), (\.forbiddenShare, 20...150), (\.backgroundShare, 20...200),
        (\.replyShare, 333...333),
      ], with: plan.moodDice)
    plan.draw(
      [
        (\.suspensionShare, 5...60), (\.hintShare, 50...300), (\.tokenlessShare, 1...400),
        (\.clockShare, 20...200),
      ], with: plan.deviceDice)
    var files = plan.fileDice
    plan.fileShare = files.happens(300) ? files.number(100...600) : 0
    var logs = plan.compactionDice
    plan.compactionShare = logs.happens(300) ? logs.number(20...200) : 0
    var disks = plan.diskDice
    plan.fullDiskShare = disks.happens(300) ? disks.number(5...100) : 0
    var thoughts = plan.thoughtDice
    plan.regretShare = thoughts.happens(300) ? thoughts.number(200...800) : 0
    plan.drawPages()
    return plan
  }

  /// Draws about half of the shares, from their ranges, for three plans in ten.
  private mutating func draw(
    _ shares: [(WritableKeyPath<SimulationPlan, Int>, ClosedRange<Int>)], with dice: Dice
  ) {
    var dice = dice
    guard dice.happens(300) else { return }
    for (share, range) in shares {
      self[keyPath: share] = dice.happens(500) ? dice.number(range) : 0
    }
  }

  /// Draws, for three plans in ten, that pages are shorter than requested: all, some or both.
  private mutating func drawPages() {
    var dice = pageDice
    guard dice.happens(300) else { return }
    if dice.happens(500) { manners.listedMax = dice.number(2...max(manners.pageMax, 2)) }
    if dice.happens(500) { manners.shortPageShare = dice.number(10...300) }
  }

  /// The dice for logins; all else is the same whatever they decide.
  var loginDice: Dice { Dice(seed: seed ^ 0x1061) }

  /// The dice that decide whether streams are followed.
  ///
  /// They decide against it for the seeds named in documents, whose course must stay the same.
  var lineDice: Dice { Dice(seed: seed ^ 0x1011) }

  /// The dice for what servers refuse for a while, what devices do in the background, and replies.
  ///
  /// They decide against all of it for the seeds that documents named before.
  var moodDice: Dice { Dice(seed: seed ^ 0x198A) }

  /// The dice for suspensions, hints that come together, missing tokens and clocks that are set.
  ///
  /// They decide against all of it for the seeds that documents named before.
  var deviceDice: Dice { Dice(seed: seed ^ 0x903E) }

  /// The dice that decide whether people add files to drafts.
  ///
  /// They decide against it for the seeds that documents named before.
  var fileDice: Dice { Dice(seed: seed ^ 0x953F) }

  /// The dice that decide whether people have second thoughts about drafts being sent.
  ///
  /// They decide against them for the seeds that documents named before.
  var thoughtDice: Dice { Dice(seed: seed ^ 0xB8250) }

  /// The dice for compactions of logs.
  ///
  /// They decide against them for the seeds that documents named before.
  var compactionDice: Dice { Dice(seed: seed ^ 0x268E) }

  /// The dice for full disks.
  ///
  /// They decide against them for the seeds that documents named before.
  var diskDice: Dice { Dice(seed: seed ^ 0x2D8C) }

  /// The dice that decide whether pages are shorter than requested.
  ///
  /// They decide against it for the seeds that documents named before.
  var pageDice: Dice { Dice(seed: seed ^ 0xB8AC) }

  /// The policy of the server's kind.
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
  /// Removes the faults that carry out a request without its sender's knowledge; a server without
  /// keys cannot guard against them.
  fileprivate mutating func forgetRepetitions() {
    for fault in [Fault.stray, .twice, .lied] { shares[fault] = nil }
  }
}
