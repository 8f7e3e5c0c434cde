/// What the person did with what a push showed.
public struct PushResponse: Sendable, Hashable {
  /// What had come with the push.
  public var payload: PushPayload
  /// The button, where it was one and not the whole.
  public var action: String?
  /// Whether the application was launched by it.
  public var isLaunch: Bool
  /// Whether it was put away instead of opened.
  public var isDismissal: Bool

  /// What was done, by the identifier that the system gives for it.
  ///
  /// The two identifiers that Apple's systems have for opening and for putting away are known; any
  /// other is the name of a button.
  public init(_ payload: PushPayload, action: String? = nil, isLaunch: Bool = false) {
    self.payload = payload
    self.isLaunch = isLaunch
    isDismissal = action == "com.apple.UNNotificationDismissActionIdentifier"
    let isPlain = isDismissal || action == "com.apple.UNNotificationDefaultActionIdentifier"
    self.action = isPlain ? nil : action
  }
}

extension PushResponse {
  /// The intent that it is, or `nil` where nothing of the inbox was opened.
  func opening(of push: ReceivedPush, key: OperationKey) -> AlertOpened? {
    guard push.kind.hasMessage, !isDismissal, let id = push.fields.id else { return nil }
    return AlertOpened {
      $0.id = id
      $0.requestID = push.fields.text(.requestID)
      $0.action = action
      $0.isLaunch = isLaunch
      $0.terms.key = key
    }
  }
}
