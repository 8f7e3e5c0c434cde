/// A part of a push that describes a message of the inbox or the app icon.
public enum PushField: String, CaseIterable, Sendable {
  /// The message's id; without it, nothing of the message can be kept.
  case id
  /// The id of this sending of the message; the same message may be sent again.
  case requestID
  /// The server's id of the account.
  case account
  /// The server's digest of the message.
  case messageHash
  /// The type of the push, in the server's numbers.
  case messageType
  /// The type of the message, in the server's numbers.
  case inboxMessageType
  /// The event that triggered the message.
  case eventID
  /// The name that the sender assigned.
  case name
  /// The subject.
  case subject
  /// The title.
  case title
  /// The subtitle.
  case subtitle
  /// The displayed text.
  case alert
  /// The first line in the inbox.
  case inboxMessage
  /// The second line in the inbox.
  case inboxSubtitle
  /// The text of the push that the message is a copy of.
  case notificationMessage
  /// A summary of the message.
  case summary
  /// The content, as HTML.
  case content
  /// The address that the push opens.
  case url
  /// The link that a message may have in addition to its address.
  case messageLink
  /// The link to a place in the app.
  case deepLink
  /// The address of the image.
  case mediaURL
  /// The alternative text of the image.
  case mediaText
  /// The address of the icon.
  case iconURL
  /// The name of the sound.
  case sound
  /// When it was sent.
  case sendDate
  /// When it starts to be shown.
  case startDate
  /// When it stops being shown.
  case endDate
  /// When it was posted, by the sender's clock.
  case localDate
  /// The sender's additional data as a single value.
  case custom
  /// The number for the app icon.
  case badge
}

extension PushField {
  /// The field of the message, or `nil` if it is not part of the message.
  var objectField: ObjectField? {
    switch self {
    case .id: .id
    case .requestID: .requestID
    case .account: .namespace
    case .messageHash: .messageHash
    case .messageType: .messageType
    case .inboxMessageType: .inboxMessageType
    case .eventID: .eventID
    case .name: .name
    case .subject: .subject
    case .title: .title
    case .subtitle: .subtitle
    case .alert: .alert
    case .inboxMessage: .inboxMessage
    case .inboxSubtitle: .inboxSubtitle
    case .notificationMessage: .notificationMessage
    case .summary: .summary
    case .content: .body
    case .url: .url
    case .messageLink: .messageLink
    case .deepLink: .deepLink
    case .mediaURL: .mediaURL
    case .mediaText: .mediaText
    case .iconURL: .iconURL
    case .sound: .sound
    case .sendDate: .date
    case .startDate: .startDate
    case .endDate: .endDate
    case .localDate: .localDate
    case .custom: .custom
    case .badge: nil
    }
  }
}
