public import Foundation

/// A person's response to what a push showed.
public struct PushResponse: Sendable, Hashable {
  /// The payload of the push.
  public var payload: PushPayload
  /// The chosen button, or `nil` if it was none.
  public var action: String?
  /// Whether the response launched the app.
  public var isLaunch: Bool
  /// Whether the push was dismissed instead of opened.
  public var isDismissal: Bool
  /// When the push arrived, such as the date of the notification, if known.
  ///
  /// A push that arrived before the latest login may have been for somebody else: nothing is
  /// recorded of its opening unless it names the account it is for.
  public var arrivedAt: Date?

  /// Creates a response from the action identifier that the system reports.
  ///
  /// The identifiers with which Apple's systems report opening and dismissal are recognized; any
  /// other identifier names a button.
  public init(_ payload: PushPayload, action: String? = nil, isLaunch: Bool = false) {
    self.payload = payload
    self.isLaunch = isLaunch
    isDismissal = action == "com.apple.UNNotificationDismissActionIdentifier"
    let isPlain = isDismissal || action == "com.apple.UNNotificationDefaultActionIdentifier"
    self.action = isPlain ? nil : action
  }
}

extension PushResponse {
  /// Returns the intent to record, or `nil` if no message of the inbox was opened.
  func opening(of push: ReceivedPush, key: OperationKey) -> AlertOpened? {
    guard push.kind.hasMessage, !isDismissal, let id = push.fields.id else { return nil }
    return AlertOpened {
      $0.id = id
      $0.requestID = push.fields.text(.requestID)
      $0.action = action
      $0.isLaunch = isLaunch
      $0.namespace = push.fields.text(.namespace)
      $0.terms.key = key
    }
  }
}
