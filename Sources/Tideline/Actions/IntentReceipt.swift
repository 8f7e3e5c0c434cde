public import EventStore

/// A receipt for an action, used to follow its outcome.
public struct IntentReceipt: Sendable {
  /// The first record of the action's intent.
  public let number: RecordNumber
  let inbox: Inbox
  /// The number of operations that it opened; `nil` if the store was suspended before they were
  /// counted.
  let count: Int?
  /// The number of the store's setbacks when the intent was shown; `nil` if its record is in the
  /// log.
  private var setbacks: Int?

  package init(of number: RecordNumber, in inbox: Inbox) {
    (self.number, self.inbox) = (number, inbox)
    count = try? Self.count(of: number, in: inbox)
  }

  /// Creates a receipt for an intent that was shown when the store had had a number of setbacks;
  /// `nil` if its record may have been lost since, so that its number may be another's.
  package init?(seen number: RecordNumber, in inbox: Inbox, since setbacks: Int?) {
    let last = try? inbox.store.core.log.last
    self.init(of: number, in: inbox)
    self.setbacks = setbacks
    if (try? isLost()) == true { return nil }
    if let last, last >= number { self.setbacks = nil }
  }

  /// Whether the intent's record was lost before it was in the log.
  private func isLost() throws -> Bool {
    guard let setbacks else { return false }
    let floor = try inbox.store.core.read { $0.setbacks.floor(since: setbacks) }
    return floor.map { $0 < number } ?? false
  }

  /// Returns the number of operations that are open, or that a server has done meanwhile.
  private static func count(of number: RecordNumber, in inbox: Inbox) throws -> Int {
    try inbox.store.core.read { snapshot in
      let fate = try fate(of: number, through: snapshot.position.number, in: inbox)
      let open = try snapshot.count(of: .operations(of: number))
      return try fate.done.reduce(open) { count, item in
        let id = Operations.id(of: number, on: item, account: inbox.account)
        return try snapshot.row(id, in: Operations.collection) == nil ? count + 1 : count
      }
    }
  }

  /// Returns the outcome of an intent, as of a record.
  private static func fate(
    of number: RecordNumber, through last: RecordNumber, in inbox: Inbox
  ) throws -> IntentFate {
    var fate = IntentFate(of: number, count: 0)
    try fate.take(through: last, of: inbox.store.core)
    return fate
  }

  /// Undoes the action exactly, as long as no part of it has begun: no part is ever sent then.
  ///
  /// - Complexity: O(records since the action, of any account)
  /// - Throws: ``IntentError/tooLate``, ``IntentError/loggedOut``, ``IntentError/abandoned`` if the
  ///   action's record was lost; `StoreError`.
  public func withdraw() async throws {
    try await changeUnlessBegun(by: Withdraw { $0.intents = [number] }) { _ in false }
  }

  /// Delays sending for a duration from now on, as long as no part of the action has begun.
  ///
  /// - Complexity: O(records since the action, of any account)
  /// - Throws: As ``withdraw()``.
  public func hold(for duration: Duration) async throws {
    let until = inbox.store.now.later(by: duration)
    try await changeUnlessBegun(
      by: Hold {
        $0.intent = number
        $0.until = until
      }
    ) { $0[Operations.heldUntil] != nil }  // A clock that is set moves it.
  }

  /// Records an event that only affects operations that have not begun; throws if it is too late.
  ///
  /// An operation that begins meanwhile is in the log before the event, or is not sent.
  ///
  /// - Parameter isChanged: Whether the event took effect on an operation that is still open.
  private func changeUnlessBegun(
    by event: some InboxEvent, _ isChanged: (Row) -> Bool
  ) async throws {
    if try isLost() { throw IntentError.abandoned }
    let wasBegun = try open().contains { $0[Operations.wasBegun] == true }
    // A part that is done is no longer open.
    let now = try inbox.store.core.read { $0.position.number }
    if try wasBegun || Self.fate(of: number, through: now, in: inbox).wasBegun {
      throw IntentError.tooLate
    }
    let login = try inbox.login()
    let last = try await inbox.store.append(event, login)
    if try Self.fate(of: number, through: last, in: inbox).wasBegun { throw IntentError.tooLate }
    // After the end of the login, the event has no effect.
    let isLoggedIn = try inbox.isLoggedIn(login)
    let isEffective = try isLoggedIn || open().allSatisfy(isChanged)
    if !isEffective { throw IntentError.loggedOut }
  }

  /// Whether no part of the action is open: each was confirmed, refused or abandoned.
  ///
  /// - Throws: `StoreError`.
  public var isSettled: Bool { get throws { try isLost() || open().isEmpty } }

  /// Waits until the server has confirmed the whole action: as far as the server reports, it has
  /// taken effect, and no part of it is open.
  ///
  /// Throws as soon as some part can't be confirmed any more. An action that changes nothing is
  /// confirmed at once. One that another action supersedes before it is sent, such as when a star
  /// is removed again, is confirmed with the other: the server has what is wanted in the end. So is
  /// a deletion once the server reports that the objects are gone. While the store is suspended,
  /// this waits.
  ///
  /// The confirmation is in the log soon after this returns. If the process ends before that,
  /// another process finds out again.
  ///
  /// - Complexity: O(records since the action, of any account)
  /// - Throws: ``IntentError/rejected(id:_:answer:)``, ``IntentError/withdrawn``,
  ///   ``IntentError/abandoned``; `CancellationError`; `StoreError`.
  public func confirmed() async throws {
    let (store, wakeup) = (inbox.store.core, Wakeup(of: inbox.store))
    var (looking, written): (LiveView?, IntentFate?) = (nil, nil)
    defer { looking?.end() }
    repeat {
      do {
        if looking == nil { looking = try look(wakeup) }
        if try isLost() { throw IntentError.abandoned }
        let standing = try store.read { try IntentStanding(of: number, in: $0) }
        var fate =
          try written ?? IntentFate(of: number, count: count ?? Self.count(of: number, in: inbox))
        // Records on their way into the log may be taken back and replaced by others.
        try fate.take(through: standing.number, of: store, areWritten: true)
        written = fate
        try fate.take(through: standing.number, of: store)
        if fate.last >= standing.number, try isConfirmed(&fate, standing) { return }
      } catch StoreError.closed {
        // The store is suspended; or closed, and then there is nothing to wait for.
        looking = nil
      }
    } while await wakeup.wait()
    try Task.checkCancellation()
    throw StoreError.closed(path: store.path)
  }

  /// Watches the open operations, and wakes the waiter when they change.
  private func look(_ wakeup: Wakeup) throws -> LiveView {
    try inbox.store.core.live(
      ListName.operations(of: number), window: 0..<IntentStanding.rowsMax, countsExactly: true,
      holdsRows: false
    ) { _ in wakeup.wake() }
  }

  private func open() throws -> [Row] {
    try inbox.store.core.read { try $0.rows(of: .operations(of: number), in: 0...) }
  }
}
