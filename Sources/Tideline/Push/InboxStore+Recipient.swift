import EventStore

/// Which login pushes belong to if they arrive while the log can't be read.
extension InboxStore {
  /// Returns the login that pushes belong to according to the log, if there is exactly one.
  ///
  /// Of several logins, it is the only one with a rich inbox. With several of those the recipient
  /// is unknown; a push that names its account and that the app receives belongs to that account.
  /// Accounts whose data must not be used are not counted.
  ///
  /// - Parameter account: The only account to consider, if known.
  func recipient(_ account: UInt32? = nil) throws(StoreError) -> Recipient {
    let accounts = try addressed().filter { row in
      account.map { row[InboxFields.account] == Int64($0) } ?? true
    }
    let rich = accounts.filter { $0[Accounts.isInboxEnabled] != false }
    let logins = (rich.isEmpty ? accounts : rich).compactMap(Login.init)
    switch logins.count {
    case 0: return .nobody
    case 1: return .login(logins[0])
    default: return .unknown
    }
  }

  /// Returns the login of the account with a server id, if pushes may belong to that account.
  func login(ofServerID id: String) throws(StoreError) -> Login? {
    let named = try addressed().filter { $0[Accounts.serverID] == id }
    return named.count == 1 ? Login(named[0]) : nil
  }

  /// Returns whether a server's id is only that of other accounts than a login's or, without a
  /// login, than those that pushes may belong to.
  func isElsewhere(_ id: String, _ login: Login?) throws(StoreError) -> Bool {
    let named = try rows { try $0.rows(of: ListName(InboxViews.accounts), in: 0...) }
      .filter { $0[Accounts.serverID] == id }
    let isHere = named.contains { row in
      login.map { row[InboxFields.account] == Int64($0.account) } ?? row.isAddressed
    }
    return !named.isEmpty && !isHere
  }

  /// Returns the accounts that pushes may belong to.
  private func addressed() throws(StoreError) -> [Row] {
    try rows { try $0.rows(of: ListName(InboxViews.accounts), in: 0...) }.filter(\.isAddressed)
  }

  /// Sets the spool's recipient to what the log says.
  ///
  /// If this fails, pushes have no recipient or belong to an ended login, which nobody sees, until
  /// the store is next opened.
  func updateRecipient() async {
    guard !options.core.log.isReadOnly else { return }
    _ = await onThread { [weak self] in
      guard let self else { return }
      try pushSpool.address { try self.recipient() }
    }
  }

  /// Drains the spool and sets its recipient.
  ///
  /// Whatever can't be drained stays in the spool and does not keep the rest from being shown.
  func emptyLetterbox() async {
    guard !options.core.log.isReadOnly else { return }
    await updateRecipient()
    _ = try? await drainSpool()
  }

  /// Drains the spool whenever extensions add to it.
  ///
  /// If this fails, the spool is drained when the store opens or resumes.
  func watchLetterbox() async {
    guard !options.core.log.isReadOnly else { return }
    _ = await onThread { [pushSpool, weak self] in
      try pushSpool.watch { Task { _ = try? await self?.drainSpool() } }
    }
  }

  /// Records a logout; pushes have no recipient meanwhile.
  func leave<R>(_ record: () async throws -> R) async throws -> R {
    guard !options.core.log.isReadOnly else { return try await record() }
    let began = await onThread { [pushSpool] in try pushSpool.beginLeaving() }
    do { try began.get() } catch let error as LogError { throw StoreError.log(error) }
    let result: Result<R, any Error>
    do { result = .success(try await record()) } catch { result = .failure(error) }
    pushSpool.endLeaving()
    await forgetFirstScreen()
    await updateRecipient()
    return try result.get()
  }

  /// Deletes what the next launch would show before the store is open, since it may be hidden now.
  func forgetFirstScreen() async {
    _ = await onThread { [core] in core.forgetFirstScreen() }
  }
}

extension Row {
  /// Whether pushes may belong to the account.
  fileprivate var isAddressed: Bool {
    guard self[Accounts.isLoggedIn] == true else { return false }
    switch self[Accounts.privacy] {
    case .restricted?, .forgotten?: return false
    default: return true
    }
  }
}

extension Login {
  /// Creates the login of an account's row.
  init?(_ row: Row) {
    guard let account = row[InboxFields.account].flatMap(UInt32.init(exactly:)),
      let epoch = row[Accounts.epoch].flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(account: account, epoch: epoch)
  }
}
