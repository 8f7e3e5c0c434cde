/// What a push is, and thereby what has to be done about it.
public enum PushKind: String, CaseIterable, Sendable {
  /// It is somebody else's: nothing of it was kept.
  case notOurs
  /// It is ours and shows something, but no message of the inbox goes with it.
  case plain
  /// A message of the inbox, or as much of one as there was room for; a refresh brings the rest.
  case message
  /// A message of the inbox, all of it.
  case wholeMessage
  /// It shows nothing, and wants the inbox to be refreshed.
  case refresh
  /// It shows nothing, and sets the number on the application's icon.
  case badge
  /// It shows nothing, and changes what may be done with data.
  case privacy
  /// It shows nothing, and means something to the application only.
  case silent
}

extension PushKind {
  /// Whether a message of the inbox goes with it.
  var hasMessage: Bool { self == .message || self == .wholeMessage }

  /// What a push that shows nothing is for, or `nil` where it is another.
  var purpose: SilentPushPurpose? {
    switch self {
    case .refresh: .refresh
    case .badge: .badge
    case .privacy: .privacy
    case .silent: .other
    default: nil
    }
  }
}
