public import EventStore

/// Something that happens to an inbox and that no list shows.
public enum InboxNotice: Sendable, Hashable {
  /// A refresh began.
  case refreshBegan
  /// A refresh ended, and all that it brought was told before.
  case refreshCompleted
  /// A refresh failed; what it brought before stays.
  case refreshFailed(status: Int?, reason: String?)
  /// Nobody wanted a refresh any more.
  case refreshCancelled
  /// A refresh was not begun, as it is too early after the last one.
  case refreshThrottled(retryAfter: Duration)
  /// Messages came that were not there before, such as by one answer of the server.
  case newMessages(ids: [String])
  /// Rich messages came that were not there before: whole or the part that an alert has, and not
  /// again when the rest comes. Some may not be active yet.
  case newRichMessages(ids: [String])
  /// Nobody knows what became of something that was wanted of the object of an id, such as whether
  /// a draft was sent: see ``Inbox/openOperations()``; ``Inbox/retry(_:)`` has it tried again.
  ///
  /// - Parameter id: `nil` where it is so of all that the intent was about.
  case uncertain(intent: RecordNumber, id: String?)
  /// The server has refused something that was wanted of the object of an id: it is as it was
  /// before, but for a draft, whose text is kept, and which is among what is open.
  ///
  /// - Parameter id: `nil` where it refused all that the intent was about.
  case rejected(intent: RecordNumber, id: String?, OpenOperation.Reason)
  /// The server has done, or refused, everything that was wanted.
  case synced
}
