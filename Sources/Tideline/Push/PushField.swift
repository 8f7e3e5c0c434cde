/// What a push can say of a message of the inbox, and of the application's icon.
public enum PushField: String, CaseIterable, Sendable {
  /// The message's id, without which nothing can be kept of it.
  case id
  /// Which sending of the message it is: the same message may be sent again.
  case requestID
  /// The server's id of the account.
  case account
  /// The server's digest of the message.
  case messageHash
  /// The type of the push, in the server's numbers.
  case messageType
  /// The type of the message, in the server's numbers.
  case inboxMessageType
  /// Which event led to the message.
  case eventID
  /// The name that the sender gave it.
  case name
  /// The subject.
  case subject
  /// The title.
  case title
  /// The second title.
  case subtitle
  /// The text that is shown.
  case alert
  /// The line for the inbox.
  case inboxMessage
  /// The second line for the inbox.
  case inboxSubtitle
  /// The text of the push that the message is a copy of.
  case notificationMessage
  /// What it is about.
  case summary
  /// The content, as HTML.
  case content
  /// The address that it leads to.
  case url
  /// The link that a message may have beside its address.
  case messageLink
  /// Where in the application it leads.
  case deepLink
  /// The address of the picture.
  case mediaURL
  /// What stands for the picture.
  case mediaText
  /// The address of the icon.
  case iconURL
  /// The name of the sound.
  case sound
  /// When it was sent.
  case sendDate
  /// When it begins to be shown.
  case startDate
  /// When it ceases to be shown.
  case endDate
  /// When it was posted, in the sender's clock.
  case localDate
  /// What the sender added as one value.
  case custom
  /// The number for the application's icon.
  case badge
}

extension PushField {
  /// The field of the message, or `nil` where it is not the message's.
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
