import EventStore

extension InboxStore {
  /// Erases what is known of an account, up to a record or all of it.
  func erase(
    _ account: UInt32, upTo last: RecordNumber? = nil
  ) async throws(StoreError) -> ErasureReport {
    let erasure = Erasure(accounts: [account], last: last)
    return try await erase(erasure, finding: ErasureSearch(.account, of: account))
  }

  /// Erases payloads, in the log and in all that was made of it: those that are named, and those
  /// that a search finds.
  func erase(
    _ erasure: Erasure, finding search: ErasureSearch
  ) async throws(StoreError) -> ErasureReport {
    await caretaker.end()
    // It may be suspended, or closed, meanwhile.
    defer { if (try? core.log) != nil { caretaker.start(for: self) } }
    let (spool, log) = (try? await spool(), try core.log)
    let found = await onThread { [search, core] in
      var search = search
      try search.look(at: log) { !core.isLeft }
      return search.numbers
    }
    let numbers: [ClosedRange<RecordNumber>]
    do { numbers = try found.get() } catch { throw StoreError(error, path: core.path) }
    var report = ErasureReport(recordCount: 0, isWiped: true)
    for part in erasure.parts(with: numbers) {
      let next = try await core.erase(part, spool: spool)
      report = ErasureReport(
        recordCount: report.recordCount + next.recordCount, isWiped: next.isWiped)
    }
    return report
  }

  /// Erases what was to be when a process ended.
  func finishErasing() async throws(StoreError) {
    guard core.isKeeping, !options.core.log.isReadOnly else { return }
    try await core.finishErasure()
    let accounts = try rows { try $0.rows(of: ListName(InboxViews.accounts), in: 0...) }
    for account in accounts.compactMap({ UInt32($0.id) }) { try await finishForgetting(account) }
  }

  /// Has an account be forgotten: what it is called and how it is configured is all that stays.
  func forget(_ login: Login) async throws {
    try await drainSpool()
    try await wishToForget(login)
    try await finishForgetting(login.account)
  }

  /// Records that an account is to be forgotten, and before that what stays of it.
  private func wishToForget(_ login: Login) async throws(StoreError) {
    let kept = try rows { snapshot in snapshot.kept(login.account) }
    try await append([kept, PrivacyChanged { $0.mode = .forgotten }], login)
  }

  /// Erases what is known of an account that is to be forgotten, if it is.
  private func finishForgetting(_ account: UInt32) async throws(StoreError) {
    guard let epoch = try value(of: Accounts.epoch, of: account) else { return }
    let login = Login(account: account, epoch: UInt32(truncatingIfNeeded: epoch))
    guard var mark = try value(of: Accounts.forgetting, of: account)?.rawValue else { return }
    if try isKept(account, before: mark) == false {
      // Somebody else recorded the wish, who didn't say what stays.
      try await wishToForget(login)
      mark = try value(of: Accounts.forgetting, of: account)?.rawValue ?? mark
    }
    let report = try await erase(account, upTo: RecordNumber(rawValue: mark - 2))
    guard report.isWiped else { return }
    try await append(Erased { $0.count = Int64(report.recordCount) }, login)
  }

  /// Whether what stays of an account was recorded just before a record.
  private func isKept(_ account: UInt32, before number: UInt64) throws(StoreError) -> Bool {
    guard number > 2 else { return false }
    let log = try core.log
    do {
      let record = try log.read { try $0.record(RecordNumber(rawValue: number - 1)) }
      return record?.header.kind == StateKept.kind && record?.header.login?.account == account
    } catch LogError.compacted {
      return false
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
  /// It with more records, as several where they are too many for one; what it names goes last, so
  /// that whatever was begun can be begun again.
  fileprivate func parts(with numbers: [ClosedRange<RecordNumber>]) -> [Erasure] {
    let room = Self.itemsMax - accounts.count - entities.count
    let count = max(numbers.count - 1, 0) / room
    let parts = (0..<count).map { part in
      Erasure(numbers: Array(numbers[(part * room)..<((part + 1) * room)]), last: last)
    }
    var end = self
    end.numbers = Array(numbers[(count * room)...])
    return parts + [end]
  }
}

extension StoreSnapshot {
  /// Some values of a row.
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

  /// What of an account stays when it is forgotten: who it is, and how it is configured.
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

  /// What servers told of an account, and what follows from that or from its objects.
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
