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
  /// It may have been deleted. The server is told nothing, and what it tells of the object from
  /// here on counts. What stays is in <doc:Keeping>: other objects that name it, above all.
  ///
  /// - Throws: ``IntentError/unknown(id:)`` where nothing is known of one of that id;
  ///   ``IntentError/unfit(_:wanted:remedy:)`` for a file that is told within a message;
  ///   `StoreError`.
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
    let names = try store.core.read { snapshot in snapshot.names(kind, id, of: account) }
    let search = ErasureSearch(for: names, of: account) { log.fingerprint(of: $0) }
    return try await store.erase(search) { search in
      if search.isWithinMessage {
        throw IntentError.unfit(
          .file, wanted: "erased without the message that tells of them",
          remedy: "Erase the message")
      }
      guard search.isKnown else { throw IntentError.unknown(id: id) }
    }
  }
}

extension StoreSnapshot {
  /// The names of an object, be it there or deleted, and of the files that it has.
  fileprivate borrowing func names(
    _ kind: ObjectKind, _ id: String, of account: UInt32
  ) -> Set<ObjectName> {
    let row = "\(account)/\(id)"
    var ids = Set(names(of: row, in: kind.collection).compactMap { Message.name(of: $0)?.id })
    ids.insert(id)
    for id in ids {
      let stone = "\(kind.collection.number)/\(account)/\(id)"
      let other = value(of: Tombstones.otherID, in: stone, of: Tombstones.collection)
      // Where it finds something, that is another, which was given it since.
      if let other, names(of: "\(account)/\(other)", in: kind.collection).isEmpty {
        ids.insert(other)
      }
    }
    let own = Set(ids.map { ObjectName(kind.objectClass, $0) })
    guard kind.objectClass == .message else { return own }
    let files = value(of: Messages.fileIDs, in: row, of: Messages.collection) ?? []
    return files.reduce(into: own) { $0.formUnion(names(.file, $1, of: account)) }
  }
}
