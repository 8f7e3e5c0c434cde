/// A field of an object, with the number that it has in objects of every class and for ever.
///
/// Numbers are those of fields of a payload, so that what reads a server's bytes writes a payload
/// without a model in between, and rows refer to a text by record and number.
package enum ObjectField: Int, CaseIterable, Sendable {
  case id = 1
  case change = 2
  case version = 3
  case className = 4
  case unknown = 5
  case namespace = 6

  case subject = 16
  case snippet = 17
  case body = 18
  case name = 19
  case email = 20
  case displayName = 21
  case state = 22
  case status = 23
  case thread = 24
  case repliedMessage = 25
  case contentType = 26
  case filename = 27
  case contentID = 28
  case provider = 29
  case source = 30
  case uid = 31
  case scope = 32

  case date = 48
  case dateText = 49
  case firstMessageDate = 50
  case firstMessageDateText = 51
  case lastMessageDate = 52
  case lastMessageDateText = 53
  case lastReceivedDate = 54
  case lastReceivedDateText = 55
  case lastSentDate = 56
  case lastSentDateText = 57
  case createdAt = 58
  case createdAtText = 59
  case updatedAt = 60
  case updatedAtText = 61
  case lastSync = 62
  case lastSyncText = 63
  case startDate = 64
  case startDateText = 65
  case endDate = 66
  case endDateText = 67
  case localDate = 68
  case localDateText = 69

  case isUnread = 80
  case isStarred = 81
  case hasAttachments = 82
  case isReadOnly = 83
  case isRead = 84
  case isDeleted = 85
  case isStatusDirty = 86

  case size = 96
  case unreadCount = 97
  case threadCount = 98
  case messageType = 99
  case inboxMessageType = 100

  case from = 112
  case replyTo = 113
  case to = 114
  case cc = 115
  case bcc = 116
  case participants = 117

  case tags = 128
  case labels = 129
  case folders = 130

  case messageIDs = 144
  case draftIDs = 145
  case fileIDs = 146
  case files = 147

  case alert = 160
  case title = 161
  case subtitle = 162
  case url = 163
  case sound = 164
  case custom = 165
  case customKeys = 166
  case mediaURL = 167
  case mediaText = 168
  case inboxMessage = 169
  case inboxSubtitle = 170
  case notificationMessage = 171
  case summary = 172
  case iconURL = 173
  case messageHash = 174
  case requestID = 175
  case eventID = 176
  case keys = 177

  /// The greatest number that fields of objects may ever have; those of events around them follow.
  package static let numberMax = 511

  /// What a field holds.
  package enum Content: Sendable, Hashable {
    case text, json, integer, time, boolean, change, people, labels, texts, files
  }

  /// What it holds, where it is not null.
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
    case .messageIDs, .draftIDs, .fileIDs: .texts
    case .files: .files
    default: .text
    }
  }

  /// Where the text is kept that a time was read from.
  package var original: ObjectField? {
    content == .time ? ObjectField(rawValue: rawValue + 1) : nil
  }

  /// Its name.
  package var name: String { "\(self)" }
}
