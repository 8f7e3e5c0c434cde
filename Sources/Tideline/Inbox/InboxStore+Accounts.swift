public import EventStore
import Foundation

extension InboxStore {
  /// Logs a person in, and gives their inbox.
  ///
  /// Who was logged in before at that server under that name finds what was theirs.
  ///
  /// - Parameters:
  ///   - person: Who it is: an address, an alias, a contact's key.
  ///   - server: Where the account is, if people have accounts at several.
  ///   - policy: How the server behaves, and what is wanted of the engine.
  /// - Throws: `StoreError`.
  @discardableResult
  public func logIn(
    _ person: String, at server: String? = nil, policy: PolicySwitches
  ) async throws(StoreError) -> Inbox {
    let login = try nextLogin(of: person, at: server)
    let event = LoggedIn {
      $0.person = person
      $0.server = server
      $0.policy = policy
    }
    try await append(event, login)
    await updateRecipient()
    return Inbox(account: login.account, of: self)
  }

  /// The accounts that there are, also of those who are logged out, in the order of their numbers.
  ///
  /// - Throws: `StoreError`.
  public func accounts() throws -> [Account] {
    try core.read { snapshot in
      try snapshot.rows(of: InboxViews.accounts, in: 0...).compactMap(Account.init)
    }
  }

  /// The inbox of an account.
  public func inbox(of account: UInt32) -> Inbox { Inbox(account: account, of: self) }

  /// The account of a person, in the login that comes next.
  private func nextLogin(
    of person: String, at server: String?
  ) throws(StoreError) -> Login {
    let accounts = try rows { snapshot in try snapshot.rows(of: InboxViews.accounts, in: 0...) }
    let own = accounts.first { $0[Accounts.person] == person && $0[Accounts.server] == server }
    if let own, let number = own[InboxFields.account].flatMap(UInt32.init(exactly:)) {
      return Login(account: number, epoch: UInt32(own[Accounts.epoch] ?? 0) + 1)
    }
    let last = accounts.compactMap { $0[InboxFields.account] }.max() ?? 0
    return Login(account: UInt32(last) + 1, epoch: 1)
  }

  /// What `body` reads, with errors as this module has them.
  func rows<R>(_ body: (borrowing StoreSnapshot) throws -> R) throws(StoreError) -> R {
    do { return try core.read(body) } catch let error as StoreError { throw error } catch {
      throw .views(path: core.path, detail: "\(error)")
    }
  }

  /// Appends an event, and returns its number once it is on the medium.
  @discardableResult
  func append(
    _ event: some InboxEvent, _ login: Login?, durability: Durability = .full
  ) async throws(StoreError) -> RecordNumber {
    try await append([event], login, durability: durability).lowerBound
  }

  /// Appends events together, and returns their numbers once they are on the medium.
  @discardableResult
  func append(
    _ events: [any InboxEvent], _ login: Login?, durability: Durability = .full
  ) async throws(StoreError) -> ClosedRange<RecordNumber> {
    let (now, log) = (now, try core.log)
    var batch = Batch()
    for event in events {
      let name = login.flatMap { event.entity?.text(in: $0.account) }
      let entity = name.map(log.fingerprint)
      batch.add(event, recordedAt: now, login: login, entity: entity)
    }
    defer { caretaker.note(events.count, in: self) }
    return try await core.append(batch, durability: durability)
  }
}
