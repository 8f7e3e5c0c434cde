public import EventStore

/// What was wanted, to follow what becomes of it.
public struct IntentReceipt: Sendable {
  /// The record that says it.
  public let number: RecordNumber
  let inbox: Inbox

  /// Takes it back, exactly, as long as nothing of it was begun.
  ///
  /// - Throws: ``IntentError/tooLate``, `StoreError`.
  public func withdraw() async throws {
    if try wasBegun() { throw IntentError.tooLate }
    let event = Withdraw { $0.intents = [number] }
    try await inbox.store.append(event, try inbox.login())
    guard try open().isEmpty else { throw IntentError.tooLate }
  }

  /// Has it not be sent for some time from now on.
  ///
  /// - Throws: ``IntentError/tooLate``, `StoreError`.
  public func hold(for duration: Duration) async throws {
    if try wasBegun() { throw IntentError.tooLate }
    let until = Timestamp(rawValue: inbox.store.now.rawValue + duration.milliseconds)
    let event = Hold {
      $0.intent = number
      $0.until = until
    }
    try await inbox.store.append(event, try inbox.login())
  }

  /// Whether the server has confirmed all of it, or nothing of it is wanted any more.
  ///
  /// - Throws: `StoreError`.
  public func isSettled() throws -> Bool { try open().isEmpty }

  private func wasBegun() throws -> Bool {
    try open().contains { $0[Operations.wasBegun] == true }
  }

  private func open() throws -> [Row] {
    try inbox.store.core.read { snapshot in
      try snapshot.rows(
        of: InboxViews.operationsOfIntent, group: Int(number.rawValue), in: 0...)
    }
  }
}
