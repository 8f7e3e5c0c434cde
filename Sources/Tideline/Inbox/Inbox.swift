public import EventStore
public import Foundation

/// The inbox of one account.
public final class Inbox: Sendable {
  /// The account's number.
  public let account: UInt32
  /// The store that holds it.
  public let store: InboxStore

  init(account: UInt32, of store: InboxStore) {
    self.account = account
    self.store = store
  }

  /// A live list of the objects that a predicate finds.
  ///
  /// If the inbox or the app keeps a view that comes to the same, nothing is built.
  ///
  /// - Parameters:
  ///   - type: What the objects are.
  ///   - predicate: Which of them are wanted; without one, all.
  ///   - sort: In which order; what it leaves equal is in the order of the ids.
  ///   - window: The indices of the objects that are shown.
  ///   - counts: Whether to be told how many there are in all.
  /// - Complexity: O(log *n* + window) where a view is kept, else O(n) once.
  /// - Throws: ``QueryError``, `StoreError`.
  public func provider<Object: Model>(
    _ type: Object.Type, where predicate: Predicate<Object>? = nil,
    sort: [SortDescriptor<Object>] = [], window: Range<Int> = 0..<200, counts: Bool = true
  ) throws -> Provider<Object> {
    let plan = try QueryPlan(where: predicate, sort: sort)
    return try Provider(plan, window, counts: counts, in: store, of: account)
  }

  /// The object of an id, or `nil` where there is none that is shown; a temporary id finds it still
  /// when the server has given another.
  ///
  /// - Complexity: O(log n)
  /// - Throws: `StoreError`.
  public func object<Object: Model>(_ type: Object.Type, _ id: String) throws -> Object? {
    try store.core.read { snapshot in try snapshot.object(type, id, of: account) }
  }

  /// The content of a text that a property refers to; `nil` where it was erased.
  ///
  /// - Complexity: O(log *n* + bytes)
  /// - Throws: `LogError`, `StoreError`.
  public func text(_ reference: TextReference) throws -> String? {
    let bytes = try store.core.log.content(of: reference)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The account as it is.
  ///
  /// - Throws: `StoreError`.
  public func profile() throws -> Account? {
    try store.core.read { snapshot in
      try snapshot.row("\(account)", in: Accounts.collection).flatMap(Account.init)
    }
  }

  /// The present login.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  package func login() throws -> Login {
    let epoch = try store.core.read { snapshot -> Int? in
      let (id, accounts) = (String(account), Accounts.collection)
      guard snapshot.value(of: Accounts.isLoggedIn, in: id, of: accounts) == true else {
        return nil
      }
      return snapshot.value(of: Accounts.epoch, in: id, of: accounts)
    }
    guard let epoch else { throw IntentError.loggedOut }
    return Login(account: account, epoch: UInt32(epoch))
  }

  /// Whether a login has not ended.
  func isLoggedIn(_ login: Login) throws -> Bool {
    do { return try self.login() == login } catch IntentError.loggedOut { return false }
  }
}

extension StoreSnapshot {
  /// The object of an id in an account, or `nil` where there is none that is shown.
  ///
  /// - Complexity: O(log n)
  public func object<Object: Model>(
    _ type: Object.Type, _ id: String, of account: UInt32
  ) throws -> Object? {
    try row("\(account)/\(id)", in: Object.collection).flatMap(Object.init)
  }
}
