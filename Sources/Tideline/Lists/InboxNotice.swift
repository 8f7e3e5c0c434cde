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
  /// The server has done, or refused, everything that was wanted.
  case synced
}
