public import EventStore

extension Inbox {
  /// Permanently erases the account and everything known about it: in the log, in everything
  /// derived from it, in the spool, and in the free space of the files.
  ///
  /// Afterwards it is as if nobody had ever logged in. If the process ends meanwhile, the next
  /// opening of the store finishes the erasure. To erase everything but the account itself, use
  /// ``setPrivacy(_:)``.
  ///
  /// - Returns: The number of erased records, and whether all traces are wiped: another reader may
  ///   still be using the old content, which the next opening then wipes.
  /// - Complexity: O(records + pages), then that of rebuilding the views; providers get a reset.
  /// - Throws: `StoreError`; `busy` if another process maintains the views.
  @discardableResult
  public func erase() async throws -> ErasureReport {
    try await store.drainSpool()
    let report = try await store.erase(account)
    await store.updateRecipient()
    return report
  }

  /// Permanently erases an object, as ``erase()`` does an account: a message with its files, but a
  /// thread without its messages.
  ///
  /// The object may already be deleted. The server is not told, and anything that it says about the
  /// object from now on takes effect. <doc:Keeping> says what stays: above all, other objects that
  /// refer to it.
  ///
  /// - Throws: ``IntentError/unknown(id:)`` if nothing is known of an object with that id;
  ///   ``IntentError/unfit(_:wanted:remedy:)`` for a file that is described within a message;
  ///   `StoreError`.
  @discardableResult
  public func erase<Object: Model>(
    _ type: Object.Type, _ id: String
  ) async throws -> ErasureReport {
    guard let kind = ObjectKind.all.first(where: { $0.collection == type.collection }) else {
      throw IntentError.unknown(id: id)
    }
    // The search finds what extensions left only once it is in the log.
    try await store.drainSpool()
    let log = try store.core.log
    let names = try store.core.read { snapshot in snapshot.names(kind, id, of: account) }
    let search = ErasureSearch(for: names, of: account) { log.fingerprint(of: $0) }
    return try await store.erase(search) { search in
      if search.trail?.isWithinMessage == true {
        throw IntentError.unfit(
          .file, wanted: "erased without the message that tells of them",
          remedy: "Erase the message")
      }
      guard search.trail?.isKnown == true else { throw IntentError.unknown(id: id) }
    }
  }
}

extension StoreSnapshot {
  /// Returns the names of an object, present or deleted, and of its files.
  fileprivate borrowing func names(
    _ kind: ObjectKind, _ id: String, of account: UInt32
  ) -> Set<ObjectName> {
    let row = "\(account)/\(id)"
    var ids = Set(names(of: row, in: kind.collection).compactMap { Message.name(of: $0)?.id })
    ids.insert(id)
    for id in ids {
      let stone = "\(kind.collection.number)/\(account)/\(id)"
      let other = value(of: Tombstones.otherID, in: stone, of: Tombstones.collection)
      // If an object is found, it is another one, which has been given this id since.
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
