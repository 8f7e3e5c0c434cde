import EventStore
public import Tideline

extension Inbox {
  /// What a person decides about an operation that nobody else can decide about.
  public enum Resolution: Sendable, Hashable {
    /// It is to be sent, or sent once more: a draft as it stands here, whatever the server has.
    case again
    /// The server has done it, such as a message that was found among those sent.
    case done
    /// It is not wanted any more: what the server says is shown.
    case giveUp
  }

  /// Decides about an operation of which it is not known whether it was done, or that the server
  /// did not take.
  ///
  /// Of an operation that is settled, or goes on by itself, nothing is recorded.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  public func resolve(_ operation: OpenOperation, _ resolution: Resolution) async throws {
    if resolution == .again { return try await retry(operation) }
    let isOpen = try openOperations().contains {
      $0.intent == operation.intent && $0.id == operation.id && $0.isUndecided
    }
    guard isOpen else { return }
    let receipt = try record(
      [operation.outcome(resolution)], for: try login(), durability: .full)
    try await receipt.durable()
    try await receipt.visible()
  }
}

extension OpenOperation {
  /// Whether somebody has to decide.
  fileprivate var isUndecided: Bool { state == .uncertain || state == .rejected }

  fileprivate func outcome(_ resolution: Inbox.Resolution) -> any InboxEvent {
    guard resolution == .done else {
      return OperationAbandoned { ($0.intent, $0.item, $0.reason) = (intent, id, .decided) }
    }
    return OperationAcknowledged { ($0.intent, $0.item) = (intent, id) }
  }
}
