package import EventStore
package import TidelineSimulator
package import TidelineSync

/// What servers begin with.
package struct ServerPlan: Hashable, Sendable {
  /// How many threads of mail there are.
  package var threads = 2000
  /// How many rich messages there are.
  package var richMessages = 300
  /// What everything is drawn from: the same servers for the same seed.
  package var seed: UInt64 = 1
  /// What shows who may ask, for mail and for rich messages.
  package var token = Token("tideline")
  /// Whose state the rich inbox keeps.
  package var manner = RichServer.Manner.marketingCloud
  /// The moment up to which mail has come.
  package var end = Timestamp(rawValue: 1_767_182_400_000)

  /// Two thousand threads, and three hundred rich messages, up to the end of 2025.
  package init() {}

  /// For how long mail has come by then: two years.
  fileprivate var start: Timestamp { Timestamp(rawValue: end.rawValue - 2 * 365 * 86_400_000) }
}

extension Router {
  /// A router of servers that are filled by a plan, and have all pages at hand.
  ///
  /// - Parameters: as for a router of other servers.
  package init(
    _ plan: ServerPlan, incarnation: Int = 0, tellAlert: @escaping (String) -> Void = { _ in }
  ) {
    var dice = Dice(seed: plan.seed)
    let mail = MailServer(at: plan.start, seed: dice.next())
    mail.token = plan.token
    mail.fill(threads: plan.threads, from: plan.start, to: plan.end, using: &dice)
    let rich = RichServer(plan.manner, at: plan.start, seed: dice.next())
    rich.visitors = [plan.token: Visitor(device: "device", login: 1)]
    rich.fill(plan.richMessages, from: plan.start, to: plan.end, using: &dice)
    self.init(
      mail: mail, rich: rich, seed: dice.next(), incarnation: incarnation, tellAlert: tellAlert)
    prepare()
  }
}
