public import EventStore
public import Foundation

/// A conversation: messages that reply to one another.
public struct MailThread: Model {
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
  /// The date of the last message, or when the thread was first seen if there is none.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The subject.
  public var subject: String?
  /// The beginning of the last message, at most 200 characters.
  public var snippet: String?
  /// The people in the conversation, at most 100.
  public var participants: [Participant] = []
  /// When the last message was sent or received.
  public var lastMessageDate: Date?
  /// When the first message was sent or received.
  public var firstMessageDate: Date?
  /// When the last message was received.
  public var lastMessageReceivedDate: Date?
  /// When the last message was sent.
  public var lastMessageSentDate: Date?
  /// The ids of the tags, which also represent labels and folders.
  public var tagIDs: Set<String> = []
  /// The ids of the messages, at most 500; a list of all is a query by `threadID`.
  public var messageIDs: Set<String> = []
  /// The ids of the drafts, at most 500.
  public var draftIDs: Set<String> = []
  /// Whether any message has attached files.
  public var hasAttachments: Bool = false

  /// Creates a complete thread without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// Computed properties.
extension MailThread {
  /// The subject, folded for ordering threads.
  public var foldedSubject: FoldedText { FoldedText(subject ?? "") }
  /// The participants' addresses in lowercase.
  public var addresses: Set<String> { Set(participants.map(\.address)) }
  /// Whether any message is unread, as shown by the tag `unread`.
  public var isUnread: Bool { tagIDs.contains("unread") }
  /// Whether the thread is starred, as shown by the tag `starred`.
  public var isStarred: Bool { tagIDs.contains("starred") }
}
