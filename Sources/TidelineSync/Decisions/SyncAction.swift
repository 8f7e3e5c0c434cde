package import EventStore
package import Tideline

/// An action of synchronization.
package enum SyncAction: Sendable {
  /// Records events, in order, before any later action.
  case record([any InboxEvent], durability: Durability)
  /// Records what the server reported and then the events, as one batch.
  case take(Delivery, [any InboxEvent], durability: Durability)
  /// Records the start of requests, each durably before it is sent.
  case begin([Departure])
  /// Asks the server.
  case ask(QuestionID)
  /// Sends a request, if it is still wanted once its start and everything before are durable.
  case send(Departure)
  /// Follows a stream, by its place, from a cursor.
  case follow(Int, stream: String, since: String)
  /// Stops following a stream.
  case unfollow(Int)
  /// Requests a token, different from the refused one if there was one.
  case authorize
  /// Sets the only wake-up time.
  case wake(at: Timestamp?)
}

extension SyncAction {
  /// Whether the action writes to the log.
  package var isRecording: Bool {
    switch self {
    case .record, .take, .begin: true
    case .ask, .send, .follow, .unfollow, .authorize, .wake: false
    }
  }
}
