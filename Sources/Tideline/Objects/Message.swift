public import EventStore
public import Foundation

/// A message of a thread.
public struct Message: Model {
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
  /// The id that the server assigned later, if it differs from `id`; either one finds the object.
  public var serverID: String?
  /// The date, or when the message was first seen if it has none.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The id of the thread.
  public var threadID: String?
  /// The subject.
  public var subject: String?
  /// The beginning of the text, at most 200 characters.
  public var snippet: String?
  /// The text, as HTML.
  public var body: TextReference?
  /// When the message was sent or received, as reported by the server.
  public var date: Date?
  /// The senders; of each list of people the first 8 KiB, some 200 people.
  public var from: [Participant] = []
  /// The primary recipients.
  public var to: [Participant] = []
  /// The recipients of a copy.
  public var cc: [Participant] = []
  /// The recipients of a copy that other recipients don't see.
  public var bcc: [Participant] = []
  /// The recipients of replies.
  public var replyTo: [Participant] = []
  /// The ids of its own tags, which also represent labels and folders.
  public var tagIDs: Set<String> = []
  /// The ids of the attached files.
  public var fileIDs: Set<String> = []
  /// Whether it is unread.
  public var isUnread: Bool = false
  /// Whether it is starred.
  public var isStarred: Bool = false

  /// Creates a complete message without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// Computed properties.
extension Message {
  /// The subject, folded for ordering messages.
  public var foldedSubject: FoldedText { FoldedText(subject ?? "") }
  /// The addresses of all people that it names, in lowercase.
  public var addresses: Set<String> { Set([from, to, cc, bcc, replyTo].joined().map(\.address)) }
}
