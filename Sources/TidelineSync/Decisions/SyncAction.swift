package import EventStore
package import Tideline

/// What synchronization does.
package enum SyncAction: Sendable {
  /// Records events, in this order, before anything that comes behind.
  case record([any InboxEvent], durability: Durability)
  /// Takes in what the server has told, with events behind it, as one.
  case take(Delivery, [any InboxEvent], durability: Durability)
  /// Records that requests are begun, each on the medium before it is sent.
  case begin([Departure])
  /// Asks the server.
  case ask(QuestionID)
  /// Sends a request, once it is on the medium that it is begun, and with that everything before,
  /// and if it is still wanted then.
  case send(Departure)
  /// Has a server tell by itself what changes in a stream since a cursor, by the stream's place.
  case follow(Int, stream: String, since: String)
  /// Has it not do that any more.
  case unfollow(Int)
  /// Gets a token: another than the one that was refused, if one was.
  case authorize
  /// Wakes up at a moment, and at no other.
  case wake(at: Timestamp?)
}

extension SyncAction {
  /// Whether something comes into the log by it.
  package var isRecording: Bool {
    switch self {
    case .record, .take, .begin: true
    case .ask, .send, .follow, .unfollow, .authorize, .wake: false
    }
  }
}
