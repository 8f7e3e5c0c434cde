import EventStore
import TidelineSync

/// The reason inboxes can't be synced, however long one waits.
enum SyncCommandError: Error, CustomStringConvertible {
  /// The server rejects the token.
  case unauthorized
  /// The server requires a token, and there is none.
  case noToken
  /// The account may not be changed.
  case forbidden
  /// The results can't be recorded.
  case storage(StoreError)
  /// Another process syncs the inbox.
  case elsewhere
  /// Syncing is disabled.
  case disabled

  init?(_ obstacle: SyncStatus.Obstacle?, hasToken: Bool) {
    switch obstacle {
    case .unauthorized: self = hasToken ? .unauthorized : .noToken
    case .forbidden: self = .forbidden
    case .storage(let error, _): self = .storage(error)
    case .elsewhere: self = .elsewhere
    case .disabled: self = .disabled
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .unauthorized: "the server doesn't accept the token. Name another: --token TOKEN"
    case .noToken: "the server requires a token. Name it: --token TOKEN"
    case .forbidden: "the server allows no changes. Pending actions stay in the outbox."
    case .storage(let error): error.description
    case .elsewhere: "another process is syncing this inbox. End that process, or let it run."
    case .disabled: "the person doesn't allow data use, so nothing is synced."
    }
  }
}
