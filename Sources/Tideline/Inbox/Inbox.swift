public import EventStore
public import Foundation

/// The inbox of one account.
public final class Inbox: Sendable {
  /// The account's number.
  public let account: UInt32
  /// The store that contains the inbox.
  public let store: InboxStore

  init(account: UInt32, of store: InboxStore) {
    self.account = account
    self.store = store
  }

  /// Returns a live list of the objects that match a predicate.
  ///
  /// If the inbox or the app maintains an equivalent view, nothing is built.
  ///
  /// - Parameters:
  ///   - type: The type of the objects.
  ///   - predicate: The objects to include; without one, all.
  ///   - sort: The order; ties are broken by id.
  ///   - window: The indices of the objects to show.
  ///   - counts: Whether to count all matching objects.
  /// - Complexity: O(log *n* + window) if a view is maintained, else O(n) once.
  /// - Throws: ``QueryError``, `StoreError`.
  public func provider<Object: Model>(
    _ type: Object.Type, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = [], window: Range<Int> = 0..<200, counts: Bool = true
  ) throws -> Provider<Object> {
    let plan = try QueryPlan(where: predicate, sort: sort)
    return try Provider(plan, window, counts: counts, in: store, of: account)
  }

  /// Returns the object with an id, or `nil` if no such object is shown; a temporary id still works
  /// after the server has assigned another.
  ///
  /// - Complexity: O(log n)
  /// - Throws: `StoreError`.
  public func object<Object: Model>(_ type: Object.Type, _ id: String) throws -> Object? {
    try store.core.read { snapshot in try snapshot.object(type, id, of: account) }
  }

  /// Returns the content of a text that a property refers to, or `nil` if it was erased.
  ///
  /// - Complexity: O(log *n* + bytes)
  /// - Throws: `LogError`, `StoreError`.
  public func text(_ reference: TextReference) throws -> String? {
    let bytes = try store.core.log.content(of: reference)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The account's present state.
  ///
  /// - Complexity: O(log n)
  /// - Throws: `StoreError`.
  public var profile: Account? {
    get throws {
      try store.core.read { snapshot in
        try snapshot.row("\(account)", in: Accounts.collection).flatMap(Account.init)
      }
    }
  }

  /// Returns the present login.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  package func login() throws -> Login {
    try store.core.read { try $0.login(of: account) }
  }

  /// Whether a login is still the present one.
  func isLoggedIn(_ login: Login) throws -> Bool {
    do { return try self.login() == login } catch IntentError.loggedOut { return false }
  }
}

extension StoreSnapshot {
  /// Returns the present login of an account.
  ///
  /// - Throws: ``IntentError/loggedOut``.
  func login(of account: UInt32) throws -> Login {
    var (id, epoch): ([UInt8], Int?) = ([], nil)
    id.append(decimal: account)
    lend(id.payloadBytes, in: Accounts.collection) { row in
      if row[Accounts.isLoggedIn] == true { epoch = row[Accounts.epoch] }
    }
    guard let epoch else { throw IntentError.loggedOut }
    return Login(account: account, epoch: UInt32(truncatingIfNeeded: epoch))
  }

  /// Returns the object with an id in an account, or `nil` if no such object is shown.
  ///
  /// - Complexity: O(log n)
  public func object<Object: Model>(
    _ type: Object.Type, _ id: String, of account: UInt32
  ) throws -> Object? {
    try row(Object.rowID(of: id, account), in: Object.collection).flatMap(Object.init)
  }
}
