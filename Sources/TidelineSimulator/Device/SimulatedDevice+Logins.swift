package import EventStore
import Tideline
import TidelineSync

/// Logins, and the syncs that run for them.
extension SimulatedDevice {
  /// Logs in to an account, which is used from then on.
  func logIn(_ account: UInt32, _ now: Timestamp) throws {
    let last = store.views.value(of: Accounts.epoch, in: "\(account)", of: Accounts.collection)
    let login = Login(account: account, epoch: UInt32(last ?? 0) + 1)
    (self.login, self.account) = (login, account)
    beginSync()
    try record([LoggedIn { ($0.person, $0.policy) = ("\(name)/\(account)", policy) }], .full, now)
  }

  /// Logs out the current account.
  ///
  /// Its sync continues, because nothing stops it.
  func logOut(_ pending: PendingIntents, _ now: Timestamp, flushingFor duration: Duration) throws {
    let event = LoggedOut {
      $0.pending = pending
      $0.flushUntil = pending == .flush ? now.advanced(by: duration) : nil
    }
    try record([event], .full, now)
    login = nil
  }

  private func beginSync() {
    guard let login else { return }
    let machine = machine(of: login, hasToken: !fetchesTokens)
    syncs.append(RunningSync(login: login, machine: machine))
  }

  /// Creates a machine for a login.
  func machine(of login: Login, hasToken: Bool, isForeground: Bool = true) -> SyncMachine {
    var surroundings = Surroundings()
    (surroundings.isOnline, surroundings.hasToken) = (isOnline, hasToken)
    surroundings.isForeground = isForeground
    return SyncMachine(login, abilities, in: surroundings, seed: dice.next())
  }

  /// Whether requests may be sent for a login: it is current, or its open operations are still
  /// being flushed.
  func isServed(_ login: Login, at now: Timestamp) -> Bool { store.views.isServed(login, at: now) }

  /// Returns the token of a login for the server.
  func token(of login: Login) -> Token? { syncs.first { $0.login == login }?.token }

  /// Sets the token of a login for the server.
  func setToken(_ token: Token?, of login: Login) {
    for place in syncs.indices where syncs[place].login == login {
      (syncs[place].token, syncs[place].hasToken) = (token, true)
    }
  }

  /// Ends the process, and starts another one with the durable records.
  package func crash(_ now: Timestamp) throws {
    let tokens = Dictionary(uniqueKeysWithValues: syncs.map { ($0.login, $0.token) })
    try store.crash()
    forgetProcess()
    readLogin()
    let last = readLedgers() ?? now
    beginSync()
    if let login, !fetchesTokens { setToken(tokens[login] ?? nil, of: login) }
    try emptySpool(now)
    try catchUpWithClock(.opened, now, after: last)
    try take(.began, now)
  }

  /// Determines the ledgers from all that the log has or had; returns the time of the last record.
  @discardableResult
  func readLedgers() -> Timestamp? {
    ledgers = [:]
    var last: Timestamp?
    store.forEachRecord { record in
      last = record.header.recordedAt
      guard let event = try? EventCatalog.event(of: record) else { return }
      note(event, record.number, of: record.header.login, at: record.header.recordedAt)
    }
    return last
  }

  /// Finds out which account is logged in.
  private func readLogin() {
    let views = store.views
    let wasLast = account
    login = nil
    for account in [wasLast, 3 - wasLast] {
      let (id, accounts) = ("\(account)", Accounts.collection)
      guard views.value(of: Accounts.isLoggedIn, in: id, of: accounts) == true,
        let epoch = views.value(of: Accounts.epoch, in: id, of: accounts)
      else { continue }
      self.account = account
      login = Login(account: account, epoch: UInt32(epoch))
      return
    }
  }
}
