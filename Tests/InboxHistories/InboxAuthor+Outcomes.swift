import EventStore
import TestSupport
import Tideline

// Outcomes of operations.
extension InboxAuthor {
  private static let answers: [(Int64?, String?)] = [
    (nil, nil), (503, nil), (nil, "no route"), (400, "No recipients"),
    (402, String(repeating: "é", count: 600)), (413, "x" + String(repeating: "😀", count: 256)),
  ]

  mutating func outcome() {
    let known = accounts.compactMap { inbox.accounts[$0] }
    let busy = known.filter { !$0.operations.isEmpty }
    guard let account = dice.any(of: busy) ?? dice.any(of: known) else { return }
    let unanswered = account.operations.filter { $0.state != .acknowledged }
    let pressing = dice.percent(85) ? dice.any(of: unanswered)?.intent : nil
    let intent = pressing ?? intent(in: account)
    let meant = account.operations.filter { $0.intent == intent }
    let isAboutOne = dice.percent(meant.count > 1 ? 70 : 30)
    let item = isAboutOne ? dice.any(of: meant)?.name.id : nil
    let event = outcome(of: intent, item, meant)
    let epoch = dice.percent(90) ? account.epoch : account.epoch &- 1
    write(event, Login(account: account.number, epoch: epoch))
    nameSaved(event, meant, account)
  }

  private mutating func outcome(
    of intent: RecordNumber, _ item: String?, _ meant: [NaiveOperation]
  ) -> any InboxEvent {
    let answer = Self.answers[Int(intent.rawValue) % Self.answers.count]
    let isStarted = meant.contains { $0.state == .started }
    switch dice.one(of: isStarted ? Self.afterStart : Self.beforeStart) {
    case 0:
      let attempt = Int64((meant.first?.attempts ?? 0) + 1)
      return OperationStarted { ($0.intent, $0.item, $0.attempt) = (intent, item, attempt) }
    case 1:
      let isGone = dice.percent(6)
      let version = dice.percent(20) ? version() : nil
      return OperationAcknowledged {
        ($0.intent, $0.item, $0.version, $0.isGone) = (intent, item, version, isGone)
      }
    case 2:
      let reason = dice.one(of: DeferralReason.allCases)
      return OperationDeferred {
        ($0.intent, $0.item, $0.reason) = (intent, item, reason)
        ($0.status, $0.error) = answer
      }
    case 3:
      let reason: RejectionReason = dice.one(of: [(4, .invalid), (4, .conflict), (1, .dependency)])
      return OperationRejected {
        ($0.intent, $0.item, $0.reason) = (intent, item, reason)
        ($0.status, $0.error) = answer
      }
    case 4:
      return OperationUncertain {
        ($0.intent, $0.item) = (intent, item)
        ($0.status, $0.error) = answer
      }
    default: return OperationAbandoned { ($0.intent, $0.item) = (intent, item) }
    }
  }

  private static let beforeStart = [(60, 0), (12, 1), (6, 2), (4, 3), (3, 4), (3, 5)]
  private static let afterStart = [(2, 0), (60, 1), (12, 2), (14, 3), (8, 4), (3, 5)]

  /// Gives an object that was saved for the first time the server's id.
  private mutating func nameSaved(
    _ event: any InboxEvent, _ meant: [NaiveOperation], _ account: NaiveAccount
  ) {
    guard event is OperationAcknowledged, let saved = meant.first(where: { $0.wish.isSaving }),
      saved.name.id.hasPrefix("local-"), dice.percent(70)
    else { return }
    replaceID(saved.objectClass, saved.name.id, account)
  }

  mutating func replaceID() {
    guard let account = account() else { return }
    let objectClass: ObjectClass = dice.one(of: [(4, .draft), (1, .tag), (1, .file)])
    let own = account.objects(objectClass).map(\.id).filter { $0.hasPrefix("local-") }
    guard let old = dice.any(of: own) else { return delta() }
    replaceID(objectClass, old, account)
  }

  /// Gives an object one new id, though another object may have that id by then.
  private mutating func replaceID(
    _ objectClass: ObjectClass, _ old: String, _ account: NaiveAccount
  ) {
    let servers = InboxNames.ids(objectClass).filter { !$0.hasPrefix("local-") }
    let new = dice.one(of: servers)
    let names = [old, new].map { account.canonical(objectClass, $0) }
    // The id may have been another id of an object that is gone; such an id may be given again.
    let isOther = names[1].id != new && account.objects[names[1]] != nil
    guard !isOther, !account.aliases.values.contains(names[0].id) else { return delta() }
    write(
      IDReplaced { ($0.objectClass, $0.old, $0.new) = (objectClass, old, new) },
      Login(account: account.number, epoch: account.epoch))
  }
}

// Events of the whole inbox.
extension InboxAuthor {
  mutating func tick() {
    let jump: Int64 = dice.one(of: [0, 0, 120_000, 700_000, 3_700_000, -1_200_000])
    now = Timestamp(rawValue: now.rawValue + jump)
    let isSet = jump < 0 ? dice.percent(90) : dice.percent(10)
    write(
      ClockTicked {
        $0.reason = isSet ? .set : .due
        $0.jump = isSet ? jump : nil
      }, nil)
  }

  /// Writes a login or a logout.
  mutating func session() {
    let account = dice.one(of: accounts)
    guard let known = inbox.accounts[account], known.isLoggedIn, dice.percent(60) else {
      let isPresent = inbox.accounts[account]?.isLoggedIn == true
      return logIn(account, again: isPresent && dice.percent(50))
    }
    let pending = dice.one(of: PendingIntents.allCases)
    let until = Timestamp(rawValue: now.rawValue + 300_000)
    write(
      LoggedOut {
        $0.pending = pending
        $0.flushUntil = pending == .flush ? until : nil
      }, Login(account: account, epoch: known.epoch))
    if dice.percent(60) { logIn(account) }
  }

  mutating func configure() {
    guard let account = account() else { return }
    let login = Login(account: account.number, epoch: account.epoch)
    if account.privacy != .unrestricted || !account.isInboxEnabled {
      write(PrivacyChanged { $0.mode = .unrestricted }, login)
      return write(ConfigurationChanged { $0.isInboxEnabled = true }, login)
    }
    let mode: PrivacyMode = dice.one(of: [(5, .doNotTrack), (4, .restricted), (1, .forgotten)])
    let policy = InboxPolicies.random(&dice)
    let name = InboxNames.random(&dice)
    let event: any InboxEvent =
      switch Int.random(in: 0..<11, using: &dice) {
      case 0, 1: ConfigurationChanged { $0.isInboxEnabled = false }
      case 2, 3: ConfigurationChanged { $0.policy = policy }
      case 4: ConfigurationChanged { ($0.policy, $0.marksReadOnOpening) = (policy, true) }
      case 5: ConfigurationChanged { ($0.marksReadOnOpening, $0.ownsBadge) = (false, true) }
      case 6, 7: PrivacyChanged { $0.mode = mode }
      case 8: IdentityChanged { $0.person = "carol" }
      case 9: Erased { $0.name = name }
      default: dice.percent(20) ? Erased { _ in } : IdentityChanged { $0.person = "dora" }
      }
    write(event, login)
  }

  /// Writes events that change little or nothing.
  mutating func tellOther() {
    guard let account = account() else { return }
    let id = id(.file, in: account)
    let content: String? = dice.percent(70) ? "stored" : nil
    let event: any InboxEvent =
      switch Int.random(in: 0..<7, using: &dice) {
      case 0: ItemRefused { $0.reason = "too deep" }
      case 1: SilentPushArrived { _ in }
      case 2: RefreshBegan { _ in }
      case 3: RefreshEnded { _ in }
      case 4: CursorReset { $0.stream = "deltas" }
      default: ContentStored { ($0.id, $0.content) = (id, content) }
      }
    if dice.percent(20) {
      let header = Event(kind: InboxHistory.Step.unknownKind, recordedAt: now)
      return write(InboxHistory.Step(header: header, event: nil))
    }
    write(event, login(of: account))
  }
}
