public import EventStore

/// What was wanted, to follow what becomes of it.
public struct IntentReceipt: Sendable {
  /// The record that it begins with.
  public let number: RecordNumber
  let inbox: Inbox
  /// How many operations it opened; `nil` where the store was suspended before that could be told.
  let count: Int?

  package init(of number: RecordNumber, in inbox: Inbox) {
    (self.number, self.inbox) = (number, inbox)
    count = try? Self.count(of: number, in: inbox)
  }

  /// How many operations are open, and how many a server did meanwhile.
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

  /// What became of an intent up to a record.
  private static func fate(
    of number: RecordNumber, through last: RecordNumber, in inbox: Inbox
  ) throws -> IntentFate {
    var fate = IntentFate(of: number, count: 0)
    try fate.take(through: last, of: inbox.store.core)
    return fate
  }

  /// Takes it back, exactly, as long as nothing of it was begun: nothing of it is ever sent then.
  ///
  /// - Complexity: O(records since it was wanted, of any account)
  /// - Throws: ``IntentError/tooLate``, ``IntentError/loggedOut``, `StoreError`.
  public func withdraw() async throws {
    try await changeUnlessBegun(by: Withdraw { $0.intents = [number] }) { _ in false }
  }

  /// Has it not be sent for some time from now on, as long as nothing of it was begun.
  ///
  /// - Complexity: O(records since it was wanted, of any account)
  /// - Throws: ``IntentError/tooLate``, ``IntentError/loggedOut``, `StoreError`.
  public func hold(for duration: Duration) async throws {
    let until = inbox.store.now.later(by: duration)
    try await changeUnlessBegun(
      by: Hold {
        $0.intent = number
        $0.until = until
      }
    ) { $0[Operations.heldUntil] == until }
  }

  /// Records what does something only to what was not begun, unless it is seen to be too late.
  ///
  /// What is begun meanwhile is in the log before that, or does not go.
  ///
  /// - Parameter isChanged: Whether it did so to what is still open.
  private func changeUnlessBegun(
    by event: some InboxEvent, _ isChanged: (Row) -> Bool
  ) async throws {
    let wasBegun = try open().contains { $0[Operations.wasBegun] == true }
    if wasBegun { throw IntentError.tooLate }
    let login = try inbox.login()
    let last = try await inbox.store.append(event, login)
    if try Self.fate(of: number, through: last, in: inbox).wasBegun { throw IntentError.tooLate }
    // Behind the end of the login it does nothing.
    let isLoggedIn = try inbox.isLoggedIn(login)
    let isEffective = try isLoggedIn || open().allSatisfy(isChanged)
    if !isEffective { throw IntentError.loggedOut }
  }

  /// Whether the server has confirmed all of it, or nothing of it is wanted any more.
  ///
  /// - Throws: `StoreError`.
  public func isSettled() throws -> Bool { try open().isEmpty }

  /// Waits until the server has confirmed all of it: what was wanted is there then as far as the
  /// server tells, and nothing is open of it.
  ///
  /// It throws as soon as a part of it can't be confirmed any more. What would change nothing is
  /// confirmed at once. What is wanted otherwise before it was sent, such as a star that is taken
  /// away again, is confirmed with that: the server has what is wanted in the end. A store that is
  /// suspended has it wait.
  ///
  /// The server has it then. That it does is in the log soon after: of a process that ends before,
  /// another finds it out again.
  ///
  /// - Complexity: O(records since it was wanted, of any account)
  /// - Throws: ``IntentError/rejected(id:_:)``, ``IntentError/withdrawn``,
  ///   ``IntentError/abandoned``; `CancellationError`; `StoreError`.
  public func confirmed() async throws {
    let (store, wakeup) = (inbox.store.core, Wakeup(of: inbox.store))
    var (looking, written): (LiveView?, IntentFate?) = (nil, nil)
    defer { looking?.end() }
    repeat {
      do {
        if looking == nil { looking = try look(wakeup) }
        let standing = try store.read { try IntentStanding(of: number, in: $0) }
        var fate =
          try written ?? IntentFate(of: number, count: count ?? Self.count(of: number, in: inbox))
        // What is on its way into the log may be taken back, and others come in its place.
        try fate.take(through: standing.number, of: store, areWritten: true)
        written = fate
        try fate.take(through: standing.number, of: store)
        if fate.last >= standing.number, try fate.isConfirmed(standing) { return }
      } catch StoreError.closed {
        // Suspended, or closed, in which case there is nothing to wait for.
        looking = nil
      }
    } while await wakeup.wait()
    try Task.checkCancellation()
    throw StoreError.closed(path: store.path)
  }

  /// Has it be told when something becomes of what is open.
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
