import EventStore
public import Tideline

/// What lists show that the device may not have.
extension Sync {
  /// Where what a list shows is found.
  public enum Origin: Sendable, Hashable {
    /// On the device alone: it has all that the server has, or the server can't be asked.
    case device
    /// At the server as well, which is asked this.
    case server(ServerQuery)
  }

  /// How many objects the server is asked for at most for what a list shows.
  public static let askedMax = 10_000

  /// Has the server be asked for what a list shows, as long as the device does not have all of it:
  /// such as for a list that is looked at while a large mailbox comes for the first time.
  ///
  ///     let unread = try inbox.provider(MailThread.self, where: #Predicate { $0.isUnread })
  ///     try sync.ask(for: unread.plan, in: 0..<50)
  ///
  /// The list is what the device has at first, and changes when the server has answered. What the
  /// server does not tell of stays. Where it can't be asked now, it is with the next refresh;
  /// behind the end of synchronization never.
  ///
  /// - Parameters:
  ///   - query: What the list is of.
  ///   - window: What of it is shown. More than the server tells at once is asked for page by page,
  ///     ``askedMax`` objects at most.
  /// - Returns: Where what the list shows is found.
  /// - Complexity: O(streams × log *n*)
  /// - Throws: `StoreError`.
  @discardableResult
  public func ask<Object: Model>(
    for query: QueryPlan<Object>, in window: Range<Int> = 0..<200
  ) throws -> Origin {
    let objectClass = Object.objectClass
    guard !window.isEmpty, let kinds = server.abilities.lists[objectClass] else { return .device }
    let asked = try inbox.store.core.read { snapshot in
      server.abilities.has(objectClass, inbox.account, snapshot)
        ? nil : ServerQuery(query, by: kinds).named(from: snapshot, inbox.account)
    }
    guard let asked else { return .device }
    hint { $0.hints.look(asked.question(in: window)) }
    return .server(asked)
  }

  /// Has the server be asked how an object is now: what it tells is shown as any news, and what is
  /// gone there goes here.
  ///
  /// Where it can't be asked now, it is with the next refresh. Nothing comes of it for an object
  /// that the server does not know yet, or that it can't be asked for.
  ///
  /// - Complexity: O(log *n*)
  /// - Throws: `StoreError`.
  public func ask<Object: Model>(for type: Object.Type, _ id: String) throws {
    guard let kind = ObjectKind.of(type.objectClass) else { return }
    let asked = try inbox.store.core.read { snapshot in
      snapshot.isNew(id, kind, of: inbox.account)
        ? nil : snapshot.serverID(of: id, kind, in: inbox.account)
    }
    guard let asked else { return }
    hint { $0.hints.look(.object(type.objectClass, id: asked)) }
  }
}

extension ServerAbilities {
  /// Whether a device has all objects of a class, but for what changed since it was told last.
  fileprivate func has(
    _ objectClass: ObjectClass, _ account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    guard let stream = streams.first(where: { $0.classes.contains(objectClass) }) else {
      return false
    }
    return stream.manner == .list || snapshot.cursor(of: stream.name, in: account) != nil
  }
}
