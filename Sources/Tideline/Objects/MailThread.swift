public import EventStore
public import Foundation

/// A conversation: messages that answer one another.
public struct MailThread: Model {
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
  /// The date of the last message, or else when the thread was first seen.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The subject.
  public var subject: String?
  /// The beginning of the last message, of at most 200 characters.
  public var snippet: String?
  /// Who takes part.
  public var participants: [Participant] = []
  /// When the last message was sent or received.
  public var lastMessageDate: Date?
  /// When the first message was sent or received.
  public var firstMessageDate: Date?
  /// When the last message was received.
  public var lastMessageReceivedDate: Date?
  /// When the last message was sent.
  public var lastMessageSentDate: Date?
  /// The ids of the tags, which stand for labels and folders as well.
  public var tagIDs: Set<String> = []
  /// The ids of the messages.
  public var messageIDs: Set<String> = []
  /// The ids of the drafts.
  public var draftIDs: Set<String> = []
  /// Whether a message has files attached.
  public var hasAttachments: Bool = false

  /// A thread without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// What is computed of the rest.
extension MailThread {
  /// The subject as threads are ordered by.
  public var foldedSubject: FoldedText { FoldedText(subject ?? "") }
  /// The participants' addresses in small letters.
  public var addresses: Set<String> { Set(participants.map(\.address)) }
  /// Whether a message was not read yet: whether it has the tag `unread`.
  public var isUnread: Bool { tagIDs.contains("unread") }
  /// Whether it has a star: whether it has the tag `starred`.
  public var isStarred: Bool { tagIDs.contains("starred") }
}
