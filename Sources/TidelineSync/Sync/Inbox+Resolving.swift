import EventStore
public import Tideline

extension Inbox {
  /// A person's decision about an operation that only a person can decide about.
  public enum Resolution: Sendable, Hashable {
    /// Send it, or send it again: a draft as it is here, whatever the server has.
    case again
    /// The server has done it; for example, the message was found among the sent ones.
    case done
    /// Give it up; the server's state is shown.
    case giveUp
  }

  /// Decides about an operation whose outcome is unknown or that the server rejected.
  ///
  /// One that is put off again and again can be given up, too, whether or not the server has done
  /// it. Otherwise nothing is recorded for an operation that is settled or continues by itself.
  ///
  /// - Throws: ``IntentError/loggedOut`` or `StoreError`.
  public func resolve(_ operation: OpenOperation, _ resolution: Resolution) async throws {
    if resolution == .again { return try await retry(operation) }
    let isOpen = try openOperations().contains {
      $0.intent == operation.intent && $0.id == operation.id
        && ($0.isUndecided || resolution == .giveUp && $0.state == .deferred)
    }
    guard isOpen else { return }
    let receipt = try record(
      [operation.outcome(resolution)], for: try login(), durability: .full)
    try await receipt.durable()
    try await receipt.visible()
  }
}

extension OpenOperation {
  /// Whether a person has to decide.
  fileprivate var isUndecided: Bool { state == .uncertain || state == .rejected }

  fileprivate func outcome(_ resolution: Inbox.Resolution) -> any InboxEvent {
    guard resolution == .done else {
      return OperationAbandoned { ($0.intent, $0.item, $0.reason) = (intent, id, .decided) }
    }
    return OperationAcknowledged { ($0.intent, $0.item) = (intent, id) }
  }
}
