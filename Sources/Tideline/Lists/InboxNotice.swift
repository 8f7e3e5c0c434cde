public import EventStore

/// An event in an inbox that no list shows.
public enum InboxNotice: Sendable, Hashable {
  /// A refresh began.
  case refreshBegan
  /// A refresh ended; everything it brought has already been delivered.
  case refreshCompleted
  /// A refresh failed; anything it brought before stays.
  case refreshFailed(status: Int?, reason: String?)
  /// A refresh was cancelled.
  case refreshCancelled
  /// A refresh was not started, because it is too soon after the last one.
  case refreshThrottled(retryAfter: Duration)
  /// Messages arrived that weren't there before, such as in one response of the server.
  case newMessages(ids: [String])
  /// Rich messages arrived that weren't there before, whole or only the part that an alert carries.
  ///
  /// They are not announced again when the rest arrives. Some may not be active yet.
  case newRichMessages(ids: [String])
  /// The outcome of an operation on an object is unknown, such as whether a draft was sent.
  ///
  /// See ``Inbox/openOperations()``; ``Inbox/retry(_:)`` tries the operation again.
  ///
  /// - Parameters:
  ///   - objectClass: The object's class; `nil` if the intent's record can't be read.
  ///   - id: The object's id; `nil` if this is true of several objects of the intent.
  ///   - answer: What the server said.
  case uncertain(intent: RecordNumber, ObjectClass?, id: String?, answer: String?)
  /// The server refused an operation on an object, which is again as it was before.
  ///
  /// A draft is the exception: its text is kept, and its operation stays open.
  ///
  /// - Parameters:
  ///   - objectClass: The object's class; `nil` if the intent's record can't be read.
  ///   - id: The object's id; `nil` if the server refused several objects of the intent.
  ///   - answer: What the server said.
  case rejected(
    intent: RecordNumber, ObjectClass?, id: String?, OpenOperation.Reason, answer: String?)
  /// A push for the app arrived that shows nothing, of the kind ``PushKind/privacy`` or
  /// ``PushKind/silent``, in this process or through an extension.
  ///
  /// See ``Inbox/noticesSinceOpening`` for those that arrived while the app did not run. If it was
  /// recorded without a login, every account's inbox reports it.
  ///
  /// - Parameter members: The push's members as a JSON object.
  case silentPush(PushKind, members: String)
  /// No operation is left: the server has done or refused each, or it was withdrawn or ended with
  /// its object.
  case synced
}
