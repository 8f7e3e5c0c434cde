public import EventStore
public import Foundation

/// A message of a rich inbox: what an app's owner sends to its users.
public struct RichMessage: Model {
  /// The id that the server gave, or a temporary one.
  public let id: String
  /// The number of the account that it belongs to.
  public let account: UInt32
  /// The fields that some source has told of; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, where it counts them.
  public var version: Int?
  /// When the server made the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// What the server said beyond the other properties, as JSON.
  public var unknownFields: TextReference?
  /// When it was sent, or else when it was first seen.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The subject.
  public var subject: String?
  /// The title.
  public var title: String?
  /// The subtitle.
  public var subtitle: String?
  /// The text of the notification.
  public var alert: String?
  /// The name that the sender gave it.
  public var name: String?
  /// What is shown when it is opened.
  public var url: String?
  /// The sound of the notification.
  public var sound: String?
  /// Where its picture or film is.
  public var mediaURL: String?
  /// What its picture or film shows.
  public var mediaAlternativeText: String?
  /// Where its icon is.
  public var iconURL: String?
  /// Where its content is; reading the link marks nothing as read.
  public var messageLink: String?
  /// The place in the app that it leads to.
  public var deepLink: String?
  /// The content, as HTML.
  public var content: TextReference?
  /// What the sender added as one text.
  public var custom: TextReference?
  /// What the sender added as keys and values, as JSON.
  public var customKeys: TextReference?
  /// What the server gives as `keys`, as JSON: what MarketingCloud may have beside the custom keys.
  public var keys: TextReference?
  /// What it is about.
  public var summary: String?
  /// When it was sent.
  public var sendDateUtc: Date?
  /// When it begins to be shown.
  public var startDateUtc: Date?
  /// When it ceases to be shown.
  public var endDateUtc: Date?
  /// The type; numbers that nobody knows yet are kept.
  public var messageType: Int?
  /// The line for the inbox, of messages of type 2.
  public var inboxMessage: String?
  /// The second line for the inbox, of messages of type 2.
  public var inboxSubtitle: String?
  /// The text of the notification, of messages of type 3.
  public var notificationMessage: String?
  /// Whether it was read.
  public var isRead: Bool = false
  /// Whether it was deleted, which hides it for ever.
  public var isDeleted: Bool = false
  /// Whether it is shown at this time.
  public var isActive: Bool = true
  /// Whether opening it was told to the sender; that is not reading.
  public var isOpened: Bool = false
  /// When it was first opened.
  public var openedDate: Date?

  /// A message without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// What is computed of the rest.
extension RichMessage {
  /// The line that a list shows of it: the subject, or else the line for the inbox, or else the
  /// title; what is empty counts as missing.
  public var line: String? { subject?.nonempty ?? inboxMessage?.nonempty ?? title?.nonempty }
  /// That line, folded: to sort and to search by, not to be shown.
  public var foldedSubject: FoldedText { FoldedText(line ?? "") }
  /// The id as a number, where it is one.
  public var uniqueID: Int? { Int(id) }
}
