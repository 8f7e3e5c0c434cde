public import EventStore
public import Foundation

/// A message of a thread.
public struct Message: Model {
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
  /// The id that the server has given it since, if that is another than `id`; both find it.
  public var serverID: String?
  /// The date, or else when the message was first seen.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The id of the thread.
  public var threadID: String?
  /// The subject.
  public var subject: String?
  /// The beginning of the text, of at most 200 characters.
  public var snippet: String?
  /// The text, as HTML.
  public var body: TextReference?
  /// When the message was sent or received, as the server says.
  public var date: Date?
  /// Who sends it.
  public var from: [Participant] = []
  /// Whom it is for.
  public var to: [Participant] = []
  /// Who gets a copy.
  public var cc: [Participant] = []
  /// Who gets a copy that the others do not see.
  public var bcc: [Participant] = []
  /// Who shall get answers.
  public var replyTo: [Participant] = []
  /// The ids of its own tags, which stand for labels and folders as well.
  public var tagIDs: Set<String> = []
  /// The ids of the files attached.
  public var fileIDs: Set<String> = []
  /// Whether it was not read yet.
  public var isUnread: Bool = false
  /// Whether it has a star.
  public var isStarred: Bool = false

  /// A message without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// What is computed of the rest.
extension Message {
  /// The subject as messages are ordered by.
  public var foldedSubject: FoldedText { FoldedText(subject ?? "") }
  /// The addresses of everybody whom it names, in small letters.
  public var addresses: Set<String> { Set([from, to, cc, bcc, replyTo].joined().map(\.address)) }
}
