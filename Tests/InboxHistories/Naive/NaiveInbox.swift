package import EventStore
package import Tideline

/// The state that events fold to, written to be obvious: the rules of "What events come to" one by
/// one, over plain values, with everything visible computed from scratch each time.
package struct NaiveInbox {
  private(set) var accounts: [UInt32: NaiveAccount] = [:]
  /// The account with the last login, and its time (1).
  private var lastLogin: (account: UInt32, time: Timestamp)?

  /// An inbox before any record.
  package init() {}

  /// Applies a record; one without an event is of an unknown kind, or was erased (7).
  package mutating func apply(_ number: RecordNumber, _ header: Event, _ event: (any InboxEvent)?) {
    guard let event else { return }
    var record = NaiveRecord(number: number, now: header.recordedAt)
    if case .record(let exchange)? = header.exchange { record.exchange = exchange }
    if case .record(let cause)? = header.cause { record.cause = cause }
    if let named = named(by: event),
      let number = account(header, event), accounts[number]?.serverID != named,
      accounts.values.contains(where: { $0.number != number && $0.serverID == named })
    {
      return
    }
    if event is ClockTicked {
      for account in accounts.keys { change(account) { $0.apply(event, record) } }
    } else if let account = account(header, event) {
      let before = accounts[account]
      change(account) { $0.apply(event, record, header.login) }
      let isPresent = before?.isLoggedIn == true && before?.epoch == accounts[account]?.epoch
      if event is LoggedIn, !isPresent { lastLogin = (account, record.now) }
    }
  }

  /// Returns the server's id of the account that an alert names (39).
  private func named(by event: any InboxEvent) -> String? {
    (event as? AlertArrived)?.message.text(.namespace) ?? (event as? AlertOpened)?.namespace
  }

  /// Returns the account that a record counts for (1).
  private mutating func account(_ header: Event, _ event: any InboxEvent) -> UInt32? {
    if event is LoggedIn, let number = header.login?.account {
      if accounts[number] == nil { accounts[number] = NaiveAccount(number) }
      return number
    }
    let last = lastLogin.flatMap { $0.time <= header.recordedAt ? $0.account : nil }
    guard let number = header.login?.account ?? last, let account = accounts[number] else {
      return nil
    }
    if Self.countsAlways(event) { return number }
    let isPresent = header.login.map { $0.epoch == account.epoch } ?? true
    return account.isLoggedIn && isPresent ? number : nil
  }

  private static func countsAlways(_ event: any InboxEvent) -> Bool {
    switch event {
    case is OperationStarted, is OperationAcknowledged, is OperationDeferred,
      is OperationRejected, is OperationUncertain, is OperationAbandoned, is IDReplaced, is Erased:
      true
    default: false
    }
  }

  /// Changes an account, and then updates the lists of threads accordingly (17).
  private mutating func change(_ number: UInt32, _ body: (inout NaiveAccount) -> Void) {
    guard var account = accounts[number] else { return }
    let before = account.memberships
    body(&account)
    account.changeLists(from: before)
    accounts[number] = account
  }
}

extension NaiveAccount {
  mutating func apply(_ event: any InboxEvent, _ record: NaiveRecord, _ login: Login? = nil) {
    var record = record
    record.answer = record.exchange.flatMap { answers[$0] }
    switch event {
    case let event as ObjectFact: fact(event.objectClass, event.fields, record)
    case let event as Exchange:
      answers[record.number] = event
      listUnchanged(event, record)
    case let event as AlertArrived: alert(event.message, record)
    case let event as ContentStored: store(event)
    case let event as ClockTicked: tick(event, record)
    case let event as MessageOpened: opened(event, record)
    case let event as MessageDownloaded: downloaded(event, record)
    case let event as IDReplaced: replaceID(event, record)
    case let event as CursorSet: cursors[event.stream] = event.cursor
    case let event as CursorReset: cursors[event.stream] = nil
    case let event as RefreshBegan: began(event, record)
    case is RefreshEnded: ended(record)
    default:
      applyIntent(event, record)
      applyOutcome(event, record)
      applyIdentity(event, record, login)
    }
  }

  private mutating func applyIntent(_ event: any InboxEvent, _ record: NaiveRecord) {
    switch event {
    case let event as AlertOpened: openAlert(event, record)
    case let event as MarkRead: markRead(event, record)
    case let event as ChangeTags: changeTags(event, record)
    case let event as DeleteObjects: delete(event, record)
    case let event as MarkAll: markAll(event, record)
    case let event as SaveDraft: save(event, record)
    case let event as SendDraft: send(event, record)
    case let event as DeleteDraft: delete(event, record)
    case let event as AddFile: add(event, record)
    case let event as SaveTag: save(event, record)
    case let event as Withdraw: withdraw(event)
    case let event as Hold: hold(event, record)
    case let event as Retry: retry(event)
    default: break
    }
  }

  private mutating func applyOutcome(_ event: any InboxEvent, _ record: NaiveRecord) {
    switch event {
    case let event as OperationStarted: started(event, record)
    case let event as OperationAcknowledged: acknowledged(event, record)
    case let event as OperationDeferred: deferred(event, record)
    case let event as OperationRejected: rejected(event)
    case let event as OperationUncertain: uncertain(event)
    case let event as OperationAbandoned: abandoned(event)
    case let event as BackoffReset: resetBackoff(event)
    default: break
    }
  }

  private mutating func applyIdentity(
    _ event: any InboxEvent, _ record: NaiveRecord, _ login: Login?
  ) {
    switch event {
    case let event as LoggedIn: if let login { logIn(event, login, record) }
    case let event as LoggedOut: logOut(event, record)
    case let event as IdentityChanged: person = event.person
    case let event as ConfigurationChanged: configure(event, record)
    case let event as PrivacyChanged: restrict(event)
    case let event as Erased: erase(event)
    default: break
    }
  }

  /// Records the start of a refresh, and its time (43).
  private mutating func began(_ event: RefreshBegan, _ record: NaiveRecord) {
    isRefreshing = true
    refreshedAt = record.now
    if event.trigger == .manual { refreshedByHandAt = record.now }
  }

  /// Records the end of a refresh, and forgets deletions that are too old (13).
  private mutating func ended(_ record: NaiveRecord) {
    isRefreshing = false
    let old = tombstones.keys.filter { tombstone(of: $0, record.now) == nil }
    for name in old { tombstones[name] = nil }
  }
}
