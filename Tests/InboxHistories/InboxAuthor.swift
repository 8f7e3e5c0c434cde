import EventStore
import TestSupport
import Tideline

/// Writes random histories: it looks at the state so far to reach deep states, but often enough
/// writes events that make no sense there.
package struct InboxAuthor {
  var dice: SeededGenerator
  private(set) var history = InboxHistory()
  /// The state that the history folds to so far.
  private(set) var inbox = NaiveInbox()
  var now = Timestamp(rawValue: 1_700_000_000_000)
  /// The possible accounts.
  let accounts: [UInt32]
  /// The behavior of accounts' servers.
  private var policies: [UInt32: PolicySwitches] = [:]
  private var epochs: [UInt32: UInt32] = [:]

  init(seed: UInt64) {
    dice = SeededGenerator(seed: seed)
    accounts = Array(1...UInt32.random(in: 1...3, using: &dice))
    for account in accounts { policies[account] = InboxPolicies.random(&dice) }
  }

  /// Returns a history of about so many records.
  package static func history(seed: UInt64, count: Int) -> InboxHistory {
    var author = InboxAuthor(seed: seed)
    for account in author.accounts { author.logIn(account) }
    while author.history.steps.count < count { author.goOn() }
    return author.history
  }

  private mutating func goOn() {
    pass()
    let action: (inout InboxAuthor) -> Void = dice.one(of: [
      (18, { $0.page() }), (5, { $0.delta() }), (24, { $0.intend() }), (26, { $0.outcome() }),
      (5, { $0.answer() }), (8, { $0.push() }), (6, { $0.tick() }), (5, { $0.reconsider() }),
      (3, { $0.replaceID() }), (3, { $0.session() }), (2, { $0.configure() }),
      (3, { $0.tellOther() }),
    ])
    action(&self)
  }

  /// Advances the time, or sets the clock back.
  private mutating func pass() {
    let step: Int64 = dice.one(of: [
      (40, 0), (40, 1000), (12, 60_000), (5, 700_000), (2, 4_000_000), (1, -900_000),
    ])
    now = Timestamp(rawValue: now.rawValue + step)
  }
}

extension InboxAuthor {
  /// Writes a record.
  mutating func write(
    _ event: any InboxEvent, _ login: Login?, exchange: RecordNumber? = nil,
    cause: RecordNumber? = nil
  ) {
    write(InboxHistory.Step(event, at: now, login, exchange: exchange, cause: cause))
  }

  mutating func write(_ step: InboxHistory.Step) {
    history.append(step)
    inbox.apply(history.last, step.header, step.event)
  }

  /// Returns the account of the next event, one that is logged in if possible.
  mutating func account() -> NaiveAccount? {
    let known = accounts.compactMap { inbox.accounts[$0] }
    return dice.any(of: known.filter(\.isLoggedIn)) ?? dice.any(of: known)
  }

  /// Returns an account's present login, but now and then another, or none.
  mutating func login(of account: NaiveAccount) -> Login? {
    let login = Login(account: account.number, epoch: account.epoch)
    switch Int.random(in: 0..<60, using: &dice) {
    case 0: return Login(account: account.number, epoch: account.epoch &- 1)
    case 1: return Login(account: dice.one(of: accounts), epoch: account.epoch)
    case 2: return nil
    default: return login
    }
  }

  /// Returns an id of a class: of an existing object, or any.
  mutating func id(_ objectClass: ObjectClass, in account: NaiveAccount) -> String {
    let there = account.objects(objectClass).map(\.id)
    let id = dice.percent(80) ? dice.any(of: there) : nil
    return id ?? dice.one(of: InboxNames.ids(objectClass))
  }

  /// Logs an account in, or repeats its login under another policy.
  mutating func logIn(_ account: UInt32, again: Bool = false) {
    if again || dice.percent(10) { policies[account] = InboxPolicies.random(&dice) }
    if !again { epochs[account, default: 0] += 1 }
    let policy = policies[account] ?? PolicySwitches()
    let person = dice.one(of: ["alice", "bob"])
    let event = LoggedIn {
      $0.person = person
      $0.policy = policy
      $0.namespace = "n\(account)"
    }
    write(event, Login(account: account, epoch: epochs[account] ?? 1))
  }
}
