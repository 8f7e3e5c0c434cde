import EventStore
public import Tideline

/// Queries for list content that the device may not have.
extension Sync {
  /// Where the content of a list is found.
  public enum Origin: Sendable, Hashable {
    /// Only on the device: it has everything that the server has, or the server can't be asked.
    case device
    /// At the server as well, which is asked this query.
    case server(ServerQuery)
  }

  /// The most objects that the server is asked for on behalf of a list.
  public static let askedMax = 10_000

  /// Asks the server for the content of a list while the device may not have all of it.
  ///
  /// This helps while a large mailbox arrives for the first time.
  ///
  ///     let unread = try inbox.provider(MailThread.self, where: #Predicate { $0.isUnread })
  ///     try sync.ask(for: unread.plan, in: 0..<50)
  ///
  /// The list first shows the device's content and changes when the server has answered. Objects
  /// that the server does not report stay. If the server can't be asked now, it is asked with the
  /// next refresh, unless synchronization has ended.
  ///
  /// - Parameters:
  ///   - query: The query of the list.
  ///   - window: The visible part of the list; places below 0 don't count. If the server can't
  ///     report it all at once, it is requested page by page, up to ``askedMax`` objects.
  /// - Returns: Where the content of the list is found.
  /// - Complexity: O(streams × log *n*)
  /// - Throws: `StoreError`.
  @discardableResult
  public func ask<Object: Model>(
    for query: QueryPlan<Object>, in window: Range<Int> = 0..<200
  ) throws -> Origin {
    let objectClass = Object.objectClass
    let window = window.clamped(to: 0..<Int.max)
    guard !window.isEmpty, let kinds = server.abilities.lists[objectClass] else { return .device }
    let asked = try inbox.store.core.read { snapshot in
      server.abilities.has(objectClass, inbox.account, snapshot)
        ? nil : ServerQuery(query, by: kinds).named(from: snapshot, inbox.account)
    }
    guard let asked else { return .device }
    hint { $0.hints.look(asked.question(in: window)) }
    return .server(asked)
  }

  /// Asks the server for the current state of an object.
  ///
  /// The answer is shown like any news, and an object that is gone there is removed here. If the
  /// server can't be asked now, it is asked with the next refresh. An object that the server does
  /// not know yet or can't be asked for stays as it is.
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
  /// Returns whether the device has all objects of a class, except for changes since the last
  /// answer.
  fileprivate func has(
    _ objectClass: ObjectClass, _ account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    guard let stream = streams.first(where: { $0.classes.contains(objectClass) }) else {
      return false
    }
    return stream.manner == .list || snapshot.cursor(of: stream.name, in: account) != nil
  }
}
