package import EventStore

extension InboxStore {
  /// Erases what is known of an account, up to a record or entirely.
  func erase(
    _ account: UInt32, upTo last: RecordNumber? = nil
  ) async throws(StoreError) -> ErasureReport {
    do { return try await erase(ErasureSearch(of: account, upTo: last)) } catch {
      throw StoreError(error, path: core.path)
    }
  }

  /// Erases the payloads that a search finds, in the log and in everything derived from it; then
  /// those that it finds among records appended meanwhile.
  ///
  /// - Parameter check: Called with the search before anything is erased; an error that it throws
  ///   is rethrown.
  package func erase(
    _ search: ErasureSearch, check: (ErasureSearch) async throws -> Void = { _ in }
  ) async throws -> ErasureReport {
    await caretaker.end()
    // The store may be suspended or closed meanwhile.
    defer { if (try? core.log) != nil { goOn() } }
    let spool = try? await spool()
    var search = try await looked(search)
    try await check(search)
    var report = ErasureReport(recordCount: 0, isWiped: true)
    var erasure: Erasure? = search.erasure
    for _ in 0..<Self.erasureRoundsMax {
      guard let found = erasure else { break }
      for part in found.parts {
        let next = try await core.erase(part, spool: spool)
        report = ErasureReport(
          recordCount: report.recordCount + next.recordCount, isWiped: next.isWiped)
      }
      search = try await looked(search)
      erasure = search.rest
    }
    return report
  }

  /// Continues what stopped, or failed, while the log was closed for an erasure.
  private func goOn() {
    caretaker.start(for: self)
    wakeups.wake()
    // What extensions left meanwhile could not be recorded.
    Task { [weak self] in await self?.emptyLetterbox() }
  }

  /// The maximum number of rounds; each covers what was appended during the one before.
  private static let erasureRoundsMax = 4

  /// Returns a search that has examined the whole log.
  private func looked(_ search: ErasureSearch) async throws -> ErasureSearch {
    let log = try core.log
    return try await onThread { [search, core] in
      var search = search
      try search.look(at: log) { !core.isLeft }
      return search
    }.get()
  }

  /// Finishes to forget accounts after a process's end interrupted that; an erasure under way was
  /// finished when the store was opened or resumed.
  func finishErasing() async throws(StoreError) {
    guard core.isKeeping, !options.core.log.isReadOnly else { return }
    let accounts = try rows { try $0.rows(of: ListName(InboxViews.accounts), in: 0...) }
    for account in accounts.compactMap({ UInt32($0.id) }) { try await finishForgetting(account) }
  }

  /// Forgets an account: only its identity and its configuration stay.
  func forget(_ login: Login) async throws -> ErasureReport? {
    try await drainSpool()
    try await wishToForget(login)
    let report = try await finishForgetting(login.account)
    // If the login ended before the wish was recorded, that was in vain.
    if report == nil, try inbox(of: login.account).isLoggedIn(login) == false {
      throw IntentError.loggedOut
    }
    return report
  }

  /// Records that an account is to be forgotten, preceded by the state that stays.
  private func wishToForget(_ login: Login) async throws(StoreError) {
    let kept = try rows { snapshot in snapshot.kept(login.account) }
    try await append([kept, PrivacyChanged { $0.mode = .forgotten }], login)
  }

  /// Erases what is known of an account, if it is to be forgotten.
  @discardableResult
  private func finishForgetting(_ account: UInt32) async throws(StoreError) -> ErasureReport? {
    guard let epoch = try value(of: Accounts.epoch, of: account) else { return nil }
    let login = Login(account: account, epoch: UInt32(truncatingIfNeeded: epoch))
    guard var mark = try value(of: Accounts.forgetting, of: account)?.rawValue else {
      return nil
    }
    var report = ErasureReport(recordCount: 0, isWiped: true)
    var isKept = try isKept(account, before: mark)
    if isKept == false, try value(of: Accounts.privacy, of: account) == .forgotten {
      // The wish was recorded elsewhere, without the state that stays.
      try await wishToForget(login)
      // A login that has ended wishes for nothing any more: the first wish counts.
      let latest = try value(of: Accounts.forgetting, of: account)?.rawValue ?? mark
      (isKept, mark) = (latest != mark, latest)
      let last = latest - (isKept == true ? 2 : 1)
      report = try await erase(account, upTo: RecordNumber(rawValue: last))
    } else if isKept == true {
      // Otherwise it was compacted away since, or the person has thought better of it.
      report = try await erase(account, upTo: RecordNumber(rawValue: mark - 2))
    }
    if report.isWiped {
      try await append(Erased { $0.count = Int64(report.recordCount) }, login)
    }
    return report
  }

  /// Returns whether the state of an account that stays was recorded just before a record; `nil` if
  /// that was compacted away.
  private func isKept(_ account: UInt32, before number: UInt64) throws(StoreError) -> Bool? {
    guard number > 2 else { return false }
    let log = try core.log
    do {
      let record = try log.read { try $0.record(RecordNumber(rawValue: number - 1)) }
      return record?.header.kind == StateKept.kind && record?.header.login?.account == account
    } catch LogError.compacted {
      return nil
    } catch {
      throw .views(path: core.path, detail: "\(error)")
    }
  }

  private func value<Value: FieldValue>(
    of field: Field<Value>, of account: UInt32
  ) throws(StoreError) -> Value? {
    try rows { $0.value(of: field, in: "\(account)", of: Accounts.collection) }
  }
}

extension Erasure {
  /// The erasure, split into several if it names more items than one may.
  ///
  /// Entities come first, as an intent without its outcomes would be sent again; then records, the
  /// last ones first; and accounts last, so that an erasure that was begun can be begun again.
  package var parts: [Erasure] {
    var (parts, end): ([Erasure], Erasure) = ([], self)
    var rest = entities.sorted { $0.rawValue < $1.rawValue }[...]
    while accounts.count + rest.count + end.numbers.count > Self.itemsMax {
      var part = Erasure(entities: Set(rest.prefix(Self.itemsMax)), last: last)
      rest = rest.dropFirst(part.entities.count)
      part.numbers = end.numbers.suffix(Self.itemsMax - part.entities.count)
      end.numbers.removeLast(part.numbers.count)
      guard part != Erasure(last: last) else { break }
      parts.append(part)
    }
    end.entities = Set(rest)
    return parts + [end]
  }
}

extension StoreSnapshot {
  /// Returns some values of a row.
  private borrowing func kept(
    _ id: String, _ fields: [FieldDeclaration], of collection: RowCollection
  ) -> RowKept? {
    guard let values = values(of: fields, in: id, of: collection) else { return nil }
    return RowKept {
      $0.collection = Int64(collection.number)
      $0.id = id
      $0.values = RowValues(values)
    }
  }

  /// Returns what stays of an account that is forgotten: its identity and its configuration.
  fileprivate borrowing func kept(_ account: UInt32) -> StateKept {
    let own = Accounts.collection.fields.filter { !Self.forgotten.contains($0) }
    return StateKept {
      $0.texts.put(.id, "\(account)")
      $0.rows = [
        kept("\(account)", own, of: Accounts.collection),
        kept(ReducerState.lastLoginID, Cursors.collection.fields, of: Cursors.collection),
      ].compactMap { $0 }
    }
  }

  /// The fields that servers reported of an account, or that follow from them or from its objects.
  private static var forgotten: Set<FieldDeclaration> {
    [
      Accounts.serverID.declaration, Accounts.emailAddress.declaration,
      Accounts.name.declaration, Accounts.foldedEmailAddress.declaration,
      Accounts.foldedName.declaration, Accounts.provider.declaration,
      Accounts.status.declaration, Accounts.scope.declaration, Accounts.lastSync.declaration,
      Accounts.isRefreshing.declaration, Accounts.hasAliases.declaration,
      Accounts.floor.declaration, Accounts.forgetting.declaration,
      InboxFields.known.declaration, InboxFields.version.declaration,
      InboxFields.createdAt.declaration, InboxFields.updatedAt.declaration,
      InboxFields.unknownFields.declaration, InboxFields.digest.declaration,
    ]
  }
}
