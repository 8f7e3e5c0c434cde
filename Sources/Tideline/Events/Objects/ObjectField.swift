/// A field of an object, with its permanent number, the same for every class of objects.
///
/// The numbers are those of a payload's fields, so a reader of a server's bytes can write a payload
/// without a model in between, and rows can refer to a text by record and number.
package enum ObjectField: Int, CaseIterable, Sendable {
  /// The server's id, or one that begins with `local-` until the server assigns one; always
  /// present.
  case id = 1
  /// What an event reports about the object, as an `ObjectChange`; if absent, the object changed.
  case change = 2
  /// The server's version of the object.
  case version = 3
  /// The server's name for the class, if the class is unknown.
  case className = 4
  /// Members of the JSON object that have no field of their own, as an object.
  case unknown = 5
  /// The server's id for the account.
  case namespace = 6

  /// The subject.
  case subject = 16
  /// The beginning of the text.
  case snippet = 17
  /// The text or HTML: `body` or `content`.
  case body = 18
  /// The name.
  case name = 19
  /// The email address.
  case email = 20
  /// The displayed name.
  case displayName = 21
  /// The state of the sending, according to the server.
  case state = 22
  /// A status in the server's words.
  case status = 23
  /// The id of the thread.
  case thread = 24
  /// The id of the message that the draft answers.
  case repliedMessage = 25
  /// The type of the content.
  case contentType = 26
  /// The name of the file.
  case filename = 27
  /// The id under which a body refers to the file.
  case contentID = 28
  /// The provider that hosts the account's mail, or that stores the contact.
  case provider = 29
  /// The source of the contact.
  case source = 30
  /// The contact's id at its source.
  case uid = 31
  /// What the login is permitted to do.
  case scope = 32

  /// When the message was sent or posted.
  case date = 48
  /// The text from which `date` was read, if the server sent one.
  case dateText = 49
  /// When the first message was sent.
  case firstMessageDate = 50
  /// The text from which `firstMessageDate` was read, if the server sent one.
  case firstMessageDateText = 51
  /// When the last message was sent.
  case lastMessageDate = 52
  /// The text from which `lastMessageDate` was read, if the server sent one.
  case lastMessageDateText = 53
  /// When the last message was received.
  case lastReceivedDate = 54
  /// The text from which `lastReceivedDate` was read, if the server sent one.
  case lastReceivedDateText = 55
  /// When the person last sent a message.
  case lastSentDate = 56
  /// The text from which `lastSentDate` was read, if the server sent one.
  case lastSentDateText = 57
  /// When the object was created.
  case createdAt = 58
  /// The text from which `createdAt` was read, if the server sent one.
  case createdAtText = 59
  /// When the object was last changed.
  case updatedAt = 60
  /// The text from which `updatedAt` was read, if the server sent one.
  case updatedAtText = 61
  /// When the server last checked for new mail.
  case lastSync = 62
  /// The text from which `lastSync` was read, if the server sent one.
  case lastSyncText = 63
  /// From when on the message is shown.
  case startDate = 64
  /// The text from which `startDate` was read, if the server sent one.
  case startDateText = 65
  /// Until when the message is shown.
  case endDate = 66
  /// The text from which `endDate` was read, if the server sent one.
  case endDateText = 67
  /// When the message was posted, by the sender's clock, read as UTC.
  case localDate = 68
  /// The text from which `localDate` was read, if the server sent one.
  case localDateText = 69

  /// Whether the object is unread.
  case isUnread = 80
  /// Whether the object is starred.
  case isStarred = 81
  /// Whether the thread has files.
  case hasAttachments = 82
  /// Whether the tag can't be changed.
  case isReadOnly = 83
  /// Whether the message is read.
  case isRead = 84
  /// Whether the message is deleted.
  case isDeleted = 85
  /// Whether the vendor's own SDK had a status to report.
  case isStatusDirty = 86

  /// The size in bytes.
  case size = 96
  /// The number of unread threads.
  case unreadCount = 97
  /// The number of threads.
  case threadCount = 98
  /// The type of the push, in the server's numbers.
  case messageType = 99
  /// The type of the message, in the server's numbers.
  case inboxMessageType = 100

  /// The senders.
  case from = 112
  /// The people to whom replies go.
  case replyTo = 113
  /// The recipients.
  case to = 114
  /// The recipients of a copy.
  case cc = 115
  /// The recipients of a copy without the others' knowledge.
  case bcc = 116
  /// Everybody in the thread.
  case participants = 117

  /// The tags, whether the server sent ids or objects.
  case tags = 128
  /// The labels.
  case labels = 129
  /// The folders.
  case folders = 130

  /// The ids of the messages.
  case messageIDs = 144
  /// The ids of the drafts.
  case draftIDs = 145
  /// The ids of the files, if the server sent only these.
  case fileIDs = 146
  /// The files.
  case files = 147
  /// The telephone numbers.
  case phoneNumbers = 148

  /// The text that the push showed.
  case alert = 160
  /// The title.
  case title = 161
  /// The subtitle.
  case subtitle = 162
  /// The address of what opening the message shows.
  case url = 163
  /// The name of the push's sound.
  case sound = 164
  /// The value of `custom`, of any type.
  case custom = 165
  /// The application's own members, as an object.
  case customKeys = 166
  /// The address of the picture or video.
  case mediaURL = 167
  /// The description of the picture or video.
  case mediaText = 168
  /// The text in the inbox's list.
  case inboxMessage = 169
  /// The second line in the inbox's list.
  case inboxSubtitle = 170
  /// The text of the push that the message copies.
  case notificationMessage = 171
  /// A summary.
  case summary = 172
  /// The address of the icon.
  case iconURL = 173
  /// The server's digest of the message.
  case messageHash = 174
  /// Which sending of the message it was.
  case requestID = 175
  /// The event that led to the message.
  case eventID = 176
  /// The value of `keys`, of any type.
  case keys = 177
  /// The address of the message's content.
  case messageLink = 178
  /// The place in the application that the message opens.
  case deepLink = 179

  /// The greatest number that an object's field can ever have; the fields of events around objects
  /// come after it.
  package static let numberMax = 511

  /// The type of a field's content.
  package enum Content: Sendable, Hashable {
    /// A text.
    case text
    /// The bytes of JSON, as the server wrote it.
    case json
    /// An integer.
    case integer
    /// Milliseconds since 1970 in UTC.
    case time
    /// A boolean.
    case boolean
    /// A change of the object.
    case change
    /// A list of ``ObjectPerson``.
    case people
    /// A list of ``ObjectLabel``.
    case labels
    /// A list of texts.
    case texts
    /// A list of objects.
    case files
  }

  /// The type of the field's content, unless it is null.
  package var content: Content {
    switch self {
    case .change: .change
    case .unknown, .custom, .customKeys, .keys: .json
    case .version: .integer
    case _ where (48..<80).contains(rawValue): rawValue % 2 == 0 ? .time : .text
    case _ where (80..<96).contains(rawValue): .boolean
    case _ where (96..<112).contains(rawValue): .integer
    case _ where (112..<128).contains(rawValue): .people
    case _ where (128..<144).contains(rawValue): .labels
    case .messageIDs, .draftIDs, .fileIDs, .phoneNumbers: .texts
    case .files: .files
    default: .text
    }
  }

  /// The field with the text from which this time was read.
  package var original: ObjectField? {
    content == .time ? ObjectField(rawValue: rawValue + 1) : nil
  }

  /// The name.
  package var name: String { "\(self)" }
}
