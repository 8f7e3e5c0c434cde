public import EventStore

extension Inbox {
  /// Erases the account with all that is known of it, for good: in the log, in all that was made of
  /// it, in the spool, and in what is free of the files.
  ///
  /// It is as if nobody had ever logged in. What was begun is finished when the store is opened
  /// next, should the process end meanwhile. To have everything be forgotten but the account is
  /// ``setPrivacy(_:)``.
  ///
  /// - Returns: How many records were erased, and whether nothing is left of them: somebody may
  ///   read what was there before for a moment more. The next opening sees to that.
  /// - Complexity: O(records + pages), then that of making the views anew; providers get a reset.
  /// - Throws: `StoreError`; `busy` where another process keeps the views.
  @discardableResult
  public func erase() async throws -> ErasureReport {
    try await store.drainSpool()
    let report = try await store.erase(account)
    await store.updateRecipient()
    return report
  }

  /// Erases an object for good, as ``erase()`` does an account: a message with its files, but a
  /// thread without its messages.
  ///
  /// The server is told nothing, and what it tells of the object from here on counts. Objects that
  /// name it by its id go on doing so.
  ///
  /// - Throws: ``IntentError/unknown(id:)`` where there is none of that id; `StoreError`.
  @discardableResult
  public func erase<Object: Model>(
    _ type: Object.Type, _ id: String
  ) async throws -> ErasureReport {
    guard let kind = ObjectKind.all.first(where: { $0.collection == type.collection }) else {
      throw IntentError.unknown(id: id)
    }
    // What extensions have left is found in the log only.
    try await store.drainSpool()
    let log = try store.core.log
    let names = try store.core.read { snapshot in try snapshot.names(kind, id, of: account) }
    guard !names.isEmpty else { throw IntentError.unknown(id: id) }
    let entities = Set(names.map { log.fingerprint(of: $0.text(in: account)) })
    let target = ErasureSearch.Target.object(entities, ids: Set(names.map(\.id)))
    return try await store.erase(
      Erasure(entities: entities), finding: ErasureSearch(target, of: account))
  }
}

extension StoreSnapshot {
  /// The names of an object, and of the files that it has.
  fileprivate borrowing func names(
    _ kind: ObjectKind, _ id: String, of account: UInt32
  ) throws -> [ObjectName] {
    guard let row = try row("\(account)/\(id)", in: kind.collection) else { return [] }
    let ids = [row.id] + aliases(of: row.id, in: kind.collection)
    let own = ids.compactMap { Message.name(of: $0) }.map { ObjectName(kind.objectClass, $0.id) }
    guard kind.objectClass == .message else { return own }
    return try own
      + (row[Messages.fileIDs] ?? []).sorted().flatMap { file in
        try names(.file, file, of: account)
      }
  }
}
