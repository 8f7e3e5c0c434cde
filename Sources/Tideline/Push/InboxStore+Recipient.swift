import EventStore

/// Whom the pushes concern that come while nobody can ask the log.
extension InboxStore {
  /// Whom the log says that pushes concern: who is logged in, if that is one.
  ///
  /// With several it is not known; one that the app receives and that names its account is that
  /// one's then. With whose
  /// data nothing may be done is not among them.
  ///
  /// - Parameter account: The only account that they may concern, if somebody knows.
  func recipient(_ account: UInt32? = nil) throws(StoreError) -> Recipient {
    let logins = try addressed().compactMap(Login.init)
      .filter { account == nil || $0.account == account }
    switch logins.count {
    case 0: return .nobody
    case 1: return .login(logins[0])
    default: return .unknown
    }
  }

  /// The login of the account that the server knows by an id, if that is one which pushes may
  /// concern.
  func login(ofServerID id: String) throws(StoreError) -> Login? {
    let named = try addressed().filter { $0[Accounts.serverID] == id }
    return named.count == 1 ? Login(named[0]) : nil
  }

  /// The accounts that pushes may concern.
  private func addressed() throws(StoreError) -> [Row] {
    try rows { try $0.rows(of: ListName(InboxViews.accounts), in: 0...) }.filter(\.isAddressed)
  }

  /// Has the spool say what the log says.
  ///
  /// Where that fails, pushes are nobody's or that of a login that has ended, which is shown to
  /// nobody, until the store is opened the next time.
  func updateRecipient() async {
    guard !options.core.log.isReadOnly else { return }
    _ = await onThread { [weak self] in
      guard let self else { return }
      try letterbox.address { try self.recipient() }
    }
  }

  /// Takes in what extensions have left, and has the spool say who is logged in.
  ///
  /// What can't be taken in stays where it is, and is no reason not to show what there is.
  func emptyLetterbox() async {
    guard !options.core.log.isReadOnly else { return }
    await updateRecipient()
    _ = try? await drainSpool()
  }

  /// Takes in what extensions leave from now on, as it comes.
  ///
  /// Where that fails, it is taken in when the store is opened or resumes.
  func watchLetterbox() async {
    guard !options.core.log.isReadOnly else { return }
    _ = await onThread { [letterbox, weak self] in
      try letterbox.watch { Task { _ = try? await self?.drainSpool() } }
    }
  }

  /// Records a logout, with pushes concerning nobody meanwhile.
  func leave<R>(_ record: () async throws -> R) async throws -> R {
    guard !options.core.log.isReadOnly else { return try await record() }
    let began = await onThread { [letterbox] in try letterbox.beginLeaving() }
    do { try began.get() } catch let error as LogError { throw StoreError.log(error) }
    let result: Result<R, any Error>
    do { result = .success(try await record()) } catch { result = .failure(error) }
    letterbox.endLeaving()
    _ = await onThread { [core] in core.forgetFirstScreen() }
    await updateRecipient()
    return try result.get()
  }
}

extension Row {
  /// Whether pushes may concern an account.
  fileprivate var isAddressed: Bool {
    guard self[Accounts.isLoggedIn] == true else { return false }
    switch self[Accounts.privacy] {
    case .restricted?, .forgotten?: return false
    default: return true
    }
  }
}

extension Login {
  /// The login of an account's row.
  init?(_ row: Row) {
    guard let account = row[InboxFields.account].flatMap(UInt32.init(exactly:)),
      let epoch = row[Accounts.epoch].flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(account: account, epoch: epoch)
  }
}
