public import EventStore
public import Foundation

/// A message of a rich inbox, sent by an app's owner to its users.
public struct RichMessage: Model {
  /// The id assigned by the server, or a temporary one.
  public let id: String
  /// The number of the account that the object belongs to.
  public let account: UInt32
  /// The fields reported by some source; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, if the server counts versions.
  public var version: Int?
  /// When the server created the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// Data from the server that no other property holds, as JSON.
  public var unknownFields: TextReference?
  /// When it was sent, or when it was first seen if that is unknown.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The subject.
  public var subject: String?
  /// The title.
  public var title: String?
  /// The subtitle.
  public var subtitle: String?
  /// The text of the notification.
  public var alert: String?
  /// The name that the sender assigned.
  public var name: String?
  /// The address of what opening it shows.
  public var url: String?
  /// The sound of the notification.
  public var sound: String?
  /// The address of its image or video.
  public var mediaURL: String?
  /// A description of its image or video.
  public var mediaAlternativeText: String?
  /// The address of its icon.
  public var iconURL: String?
  /// The address of its content; following the link marks nothing as read.
  public var messageLink: String?
  /// The link to a place in the app.
  public var deepLink: String?
  /// The content, as HTML.
  public var content: TextReference?
  /// The sender's additional data as a single text.
  public var custom: TextReference?
  /// The sender's additional keys and values, as JSON.
  public var customKeys: TextReference?
  /// The server's `keys`, as JSON, which MarketingCloud may have in addition to the custom keys.
  public var keys: TextReference?
  /// A summary of the message.
  public var summary: String?
  /// When it was sent.
  public var sendDateUtc: Date?
  /// When it starts to be shown.
  public var startDateUtc: Date?
  /// When it stops being shown.
  public var endDateUtc: Date?
  /// The message type; unknown numbers are kept.
  public var messageType: Int?
  /// The first line in the inbox, for messages of type 2.
  public var inboxMessage: String?
  /// The second line in the inbox, for messages of type 2.
  public var inboxSubtitle: String?
  /// The notification text, for messages of type 3.
  public var notificationMessage: String?
  /// Whether it was read.
  public var isRead: Bool = false
  /// Whether it was deleted, which hides it permanently.
  public var isDeleted: Bool = false
  /// Whether it is currently shown.
  public var isActive: Bool = true
  /// Whether its opening was reported to the sender, which is separate from reading.
  public var isOpened: Bool = false
  /// When it was first opened.
  public var openedDate: Date?

  /// Creates a complete message without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// Computed properties.
extension RichMessage {
  /// The line shown in lists: the first non-empty text of the subject, the inbox line and the
  /// title.
  public var line: String? { subject?.nonempty ?? inboxMessage?.nonempty ?? title?.nonempty }
  /// The line, folded for sorting and searching, not for display.
  public var foldedSubject: FoldedText { FoldedText(line ?? "") }
  /// The id as a number, if it is one.
  public var uniqueID: Int? { Int(id) }
}
