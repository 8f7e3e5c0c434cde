/// The kind of a push, which determines how to handle it.
public enum PushKind: String, CaseIterable, Sendable {
  /// The push belongs to somebody else; nothing of it was kept.
  case notOurs
  /// The push is ours and shows something, but carries no message of the inbox.
  case plain
  /// A message of the inbox, or as much as fit; a refresh brings the rest.
  case message
  /// A whole message of the inbox.
  case wholeMessage
  /// The push shows nothing and requests a refresh of the inbox.
  case refresh
  /// The push shows nothing and sets the number on the app icon.
  case badge
  /// The push shows nothing and changes what may be done with data.
  case privacy
  /// The push shows nothing and has a meaning only for the app.
  case silent
}

extension PushKind {
  /// Whether the push carries a message of the inbox.
  var hasMessage: Bool { self == .message || self == .wholeMessage }

  /// The purpose of a push that shows nothing, or `nil` for other pushes.
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
