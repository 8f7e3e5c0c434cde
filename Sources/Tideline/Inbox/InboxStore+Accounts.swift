public import EventStore
import Foundation

extension InboxStore {
  /// Logs a person in, and returns their inbox.
  ///
  /// A person who logged in before, at that server and under that name, gets their data back. A
  /// login that has not ended continues, as at each launch of an app: under the same policy,
  /// nothing is recorded. Only ``Inbox/logOut(pending:)`` ends a login.
  ///
  /// - Parameters:
  ///   - person: The person's name: an address, an alias, a contact's key. Without one, the person
  ///     is anonymous until ``Inbox/changeIdentity(to:)`` gives them the name under which they log
  ///     in from then on.
  ///   - server: The app's own name for the account's server, such as `offers`, if people have
  ///     accounts at several. It is no address, and nothing is sent to it. With another name, or
  ///     with none, a person gets another account, so keep to the name that was chosen first.
  ///   - policy: How the server and the engine behave.
  /// - Throws: `StoreError`; its `log` with `tooLarge` if a name has more than ``nameBytesMax``
  ///   bytes, in which case nothing is recorded.
  @discardableResult
  public func logIn(
    _ person: String? = nil, at server: String? = nil, policy: PolicySwitches
  ) async throws(StoreError) -> Inbox {
    let event = LoggedIn {
      $0.person = person ?? ""
      $0.server = server
      $0.policy = policy
    }
    for name in [event.person, event.server ?? ""] { try Self.check(name: name) }
    return try await logins.take { [self] () -> Result<Inbox, StoreError> in
      do throws(StoreError) { return .success(try await take(event)) } catch {
        return .failure(error)
      }
    }.get()
  }

  /// The maximum size in bytes of the name of a person or a server.
  public static let nameBytesMax = 1000

  /// Throws if a name is too long for an account.
  static func check(name: String) throws(StoreError) {
    let count = name.utf8.count
    guard count > nameBytesMax else { return }
    throw .log(.tooLarge(what: "name", bytes: count, limit: nameBytesMax))
  }

  /// Records a login, unless it is the present one under the same policy.
  private func take(_ event: LoggedIn) async throws(StoreError) -> Inbox {
    while true {
      let (login, known) = try login(of: event.person, at: event.server)
      let inbox = Inbox(account: login.account, of: self)
      if known == event.policy.mark { return inbox }
      try await core.show(upTo: try await append(event, login))
      // Another process may have given the account to another person meanwhile.
      guard try self.login(of: event.person, at: event.server).login == login else { continue }
      await updateRecipient()
      return inbox
    }
  }

  /// All accounts, including those that are logged out, ordered by number.
  ///
  /// - Complexity: O(accounts)
  /// - Throws: `StoreError`.
  public var accounts: [Account] {
    get throws {
      try core.read { snapshot in
        try snapshot.rows(of: ListName(InboxViews.accounts), in: 0...).compactMap(Account.init)
      }
    }
  }

  /// Returns the inbox of an account.
  public func inbox(of account: UInt32) -> Inbox { Inbox(account: account, of: self) }

  /// Returns a person's present login with the mark of its policy, or else their next login.
  private func login(
    of person: String, at server: String?
  ) throws(StoreError) -> (login: Login, policy: Mark?) {
    try rows { snapshot in
      let accounts = try snapshot.rows(of: ListName(InboxViews.accounts), in: 0...)
      let named = accounts.filter {
        $0[Accounts.person] == person && $0[Accounts.server] == server
      }
      // Two accounts have one name after a change of identity.
      let last = snapshot.lastLogin.map { Int64($0.account) }
      let own =
        named.first { $0[Accounts.isLoggedIn] == true }
        ?? named.first { $0[InboxFields.account] == last } ?? named.last
      guard let own, let login = Login(own),
        own[Accounts.isLoggedIn] == true || login.epoch < Login.numberMax
      else {
        // A log may contain any number.
        let last = accounts.compactMap { $0[InboxFields.account].flatMap(UInt32.init(exactly:)) }
          .filter { $0 < Login.numberMax }.max()
        return (Login(account: (last ?? 0) + 1, epoch: try firstEpoch), nil)
      }
      guard own[Accounts.isLoggedIn] == true else {
        return (Login(account: login.account, epoch: login.epoch + 1), nil)
      }
      let policy = snapshot.value(of: Accounts.policy, in: own.id, of: Accounts.collection)
      return (login, policy)
    }
  }

  /// The epoch of a new account's first login.
  ///
  /// The account may get the number of an erased one, whose logins nobody may take for this one.
  private var firstEpoch: UInt32 {
    get throws {
      let erasures = try core.log.read { $0.erasureCount }
      return 1 + UInt32(erasures % 0x8000) << 16
    }
  }

  /// The account that logged in last, and when.
  var lastLogin: (account: UInt32, time: Timestamp)? {
    get throws(StoreError) { try rows { $0.lastLogin } }
  }

  /// Returns what `body` reads, with errors converted to those of this module.
  func rows<R>(_ body: (borrowing StoreSnapshot) throws -> R) throws(StoreError) -> R {
    do { return try core.read(body) } catch let error as StoreError { throw error } catch {
      throw .views(path: core.path, detail: "\(error)")
    }
  }

  /// Appends an event, and returns its number once it is durable.
  @discardableResult
  func append(
    _ event: some InboxEvent, _ login: Login?, durability: Durability = .full
  ) async throws(StoreError) -> RecordNumber {
    try await append([event], login, durability: durability).lowerBound
  }

  /// Appends events together, and returns their numbers once they are durable.
  ///
  /// - Parameter inParts: Whether the first event is the cause of the others, and each is shown as
  ///   soon as possible, before the ones after it.
  @discardableResult
  func append(
    _ events: [any InboxEvent], _ login: Login?, durability: Durability = .full,
    inParts: Bool = false
  ) async throws(StoreError) -> ClosedRange<RecordNumber> {
    defer { caretaker.note(events.count, in: self) }
    var batch = try batch(of: events, login, inParts: inParts)
    batch.isStepwise = inParts
    return try await core.append(batch, durability: durability)
  }

  /// Appends an event with few effects, like ``append(_:_:durability:)``; if possible, the effects
  /// are shown before the calling task first suspends.
  nonisolated(nonsending) func show(
    _ event: any InboxEvent, _ login: Login?
  ) async throws(StoreError) -> RecordNumber {
    defer { caretaker.note(1, in: self) }
    return try await core.taken(core.submitAndShow(batch(of: [event], login))).lowerBound
  }

  private func batch(
    of events: [any InboxEvent], _ login: Login?, inParts: Bool = false
  ) throws(StoreError) -> Batch {
    let circumstances = try circumstances(of: login)
    var batch = Batch()
    for event in events {
      let cause: Event.Reference? = inParts && !batch.isEmpty ? .sameBatch(0) : nil
      batch.add(event, in: circumstances, cause: cause)
    }
    return batch
  }

  /// Returns what all records made now have in common.
  func circumstances(of login: Login?) throws(StoreError) -> Circumstances {
    let log = try core.log
    return Circumstances(now: now, login: login) { log.fingerprint(of: $0) }
  }
}

extension StoreSnapshot {
  /// The account that logged in last, and when.
  fileprivate var lastLogin: (account: UInt32, time: Timestamp)? {
    let (id, cursors) = (ReducerState.lastLoginID, Cursors.collection)
    guard let time = value(of: Cursors.loggedInAt, in: id, of: cursors),
      let account = value(of: Cursors.account, in: id, of: cursors)
        .flatMap(UInt32.init(exactly:))
    else { return nil }
    return (account, time)
  }
}
