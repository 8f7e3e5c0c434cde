/// A field of an object, with its permanent number, the same for every class of objects.
///
/// The numbers are those of a payload's fields. So a reader of a server's bytes can write a payload
/// without a model in between, and rows can refer to a text by record and number.
package enum ObjectField: Int, CaseIterable, Sendable {
  /// The server's id, or one that begins with `local-` until there is one; always there.
  case id = 1
  /// What became of the object, an `ObjectChange`; where absent, it changed.
  case change = 2
  /// The server's version of the object.
  case version = 3
  /// The server's name for the class, where it is none of those known.
  case className = 4
  /// Members of the JSON object that no field is for, as an object.
  case unknown = 5
  /// The server's id of the account.
  case namespace = 6

  /// The subject.
  case subject = 16
  /// The beginning of the text.
  case snippet = 17
  /// The text or HTML: `body` or `content`.
  case body = 18
  /// The name.
  case name = 19
  /// The address.
  case email = 20
  /// The name that people see.
  case displayName = 21
  /// What the server says of the sending.
  case state = 22
  /// A status in the server's words.
  case status = 23
  /// The id of the thread.
  case thread = 24
  /// The id of the message that it answers.
  case repliedMessage = 25
  /// The type of the content.
  case contentType = 26
  /// The name of the file.
  case filename = 27
  /// The id under which a body refers to the file.
  case contentID = 28
  /// Whose service it is, or the contact's name there.
  case provider = 29
  /// Where the contact comes from.
  case source = 30
  /// The contact's id at its source.
  case uid = 31
  /// What the account may be used for.
  case scope = 32

  /// When it was sent or posted.
  case date = 48
  /// The text that `date` was read from, where it was one.
  case dateText = 49
  /// When the first message was sent.
  case firstMessageDate = 50
  /// The text that `firstMessageDate` was read from, where it was one.
  case firstMessageDateText = 51
  /// When the last message was sent.
  case lastMessageDate = 52
  /// The text that `lastMessageDate` was read from, where it was one.
  case lastMessageDateText = 53
  /// When the last message was received.
  case lastReceivedDate = 54
  /// The text that `lastReceivedDate` was read from, where it was one.
  case lastReceivedDateText = 55
  /// When the person sent the last message.
  case lastSentDate = 56
  /// The text that `lastSentDate` was read from, where it was one.
  case lastSentDateText = 57
  /// When it was created.
  case createdAt = 58
  /// The text that `createdAt` was read from, where it was one.
  case createdAtText = 59
  /// When it was changed.
  case updatedAt = 60
  /// The text that `updatedAt` was read from, where it was one.
  case updatedAtText = 61
  /// When the server last looked.
  case lastSync = 62
  /// The text that `lastSync` was read from, where it was one.
  case lastSyncText = 63
  /// When it begins to be shown.
  case startDate = 64
  /// The text that `startDate` was read from, where it was one.
  case startDateText = 65
  /// When it ceases to be shown.
  case endDate = 66
  /// The text that `endDate` was read from, where it was one.
  case endDateText = 67
  /// When it was posted, in the sender's clock read as UTC.
  case localDate = 68
  /// The text that `localDate` was read from, where it was one.
  case localDateText = 69

  /// Whether it is unread.
  case isUnread = 80
  /// Whether it is starred.
  case isStarred = 81
  /// Whether it has files.
  case hasAttachments = 82
  /// Whether it can't be changed.
  case isReadOnly = 83
  /// Whether it is read.
  case isRead = 84
  /// Whether it is deleted.
  case isDeleted = 85
  /// Whether the vendor's own SDK had something to tell.
  case isStatusDirty = 86

  /// The size in bytes.
  case size = 96
  /// How many threads are unread.
  case unreadCount = 97
  /// How many threads there are.
  case threadCount = 98
  /// The type of the push, in the server's numbers.
  case messageType = 99
  /// The type of the message, in the server's numbers.
  case inboxMessageType = 100

  /// From whom.
  case from = 112
  /// Whom to answer.
  case replyTo = 113
  /// To whom.
  case to = 114
  /// Who gets a copy.
  case cc = 115
  /// Who gets a copy without the others' knowing.
  case bcc = 116
  /// Everybody in it.
  case participants = 117

  /// The tags, whether they came as ids or as objects.
  case tags = 128
  /// The labels.
  case labels = 129
  /// The folders.
  case folders = 130

  /// The ids of the messages.
  case messageIDs = 144
  /// The ids of the drafts.
  case draftIDs = 145
  /// The ids of the files, where the server says only these.
  case fileIDs = 146
  /// The files.
  case files = 147
  /// The telephone numbers.
  case phoneNumbers = 148

  /// What the push showed.
  case alert = 160
  /// The title.
  case title = 161
  /// The second title.
  case subtitle = 162
  /// The address that it leads to.
  case url = 163
  /// The name of the push's sound.
  case sound = 164
  /// The value of `custom`, whatever it is.
  case custom = 165
  /// The application's own members, as an object.
  case customKeys = 166
  /// The address of the picture.
  case mediaURL = 167
  /// What stands for the picture.
  case mediaText = 168
  /// The text in the list of the inbox.
  case inboxMessage = 169
  /// The second line in the list of the inbox.
  case inboxSubtitle = 170
  /// The text of the push that it is a copy of.
  case notificationMessage = 171
  /// A summary.
  case summary = 172
  /// The address of the icon.
  case iconURL = 173
  /// The server's digest of the message.
  case messageHash = 174
  /// Which sending of the message it was.
  case requestID = 175
  /// Which event led to the message.
  case eventID = 176
  /// The value of `keys`, whatever it is.
  case keys = 177
  /// The link that a message may have beside its address.
  case messageLink = 178
  /// Where in the application it leads.
  case deepLink = 179

  /// The greatest number of an object's field, ever; the fields of events around objects come after
  /// it.
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
