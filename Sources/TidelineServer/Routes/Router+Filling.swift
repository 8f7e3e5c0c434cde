package import EventStore
package import TidelineSimulator
package import TidelineSync

/// The initial content of the servers.
package struct ServerPlan: Hashable, Sendable {
  /// The number of mail threads.
  package var threads = 2000
  /// The number of rich messages.
  package var richMessages = 300
  /// How many of a thousand rich messages last only for some time, which may be over.
  package var temporaryRich = 300
  /// The seed of all content: equal seeds give equal servers.
  package var seed: UInt64 = 1
  /// The token that both mail and rich messages require.
  package var token = Token("tideline")
  /// The manner in which the rich inbox keeps state.
  package var manner = RichServer.Manner.marketingCloud
  /// The time of the last mail.
  package var end = Timestamp(rawValue: 1_767_182_400_000)

  /// Creates a plan of two thousand threads and three hundred rich messages, up to the end of 2025.
  package init() {}

  /// The time of the first mail, two years before the end.
  fileprivate var start: Timestamp { Timestamp(rawValue: end.rawValue - 2 * 365 * 86_400_000) }
}

extension Router {
  /// Creates a router of servers filled by a plan, with all pages prepared.
  ///
  /// - Parameters: As for a router of other servers.
  package init(
    _ plan: ServerPlan, incarnation: Int = 0, tellAlert: @escaping (String) -> Void = { _ in }
  ) {
    var dice = Dice(seed: plan.seed)
    let mail = MailServer(at: plan.start, seed: dice.next())
    mail.token = plan.token
    mail.fill(threads: plan.threads, from: plan.start, to: plan.end, using: &dice)
    let rich = RichServer(plan.manner, at: plan.start, seed: dice.next())
    rich.visitors = [plan.token: Visitor(device: "device", login: 1)]
    rich.fill(
      plan.richMessages, temporary: plan.temporaryRich, from: plan.start, to: plan.end,
      using: &dice)
    self.init(
      mail: mail, rich: rich, seed: dice.next(), incarnation: incarnation, tellAlert: tellAlert)
    prepare()
  }
}
