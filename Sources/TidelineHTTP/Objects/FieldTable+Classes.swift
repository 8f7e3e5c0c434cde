import EventStore
package import Tideline

extension FieldTable {
  /// Returns the table of a class.
  package static func of(_ objectClass: ObjectClass) -> FieldTable { with(objectClass) { $0 } }

  /// Calls `body` with the table of a class.
  ///
  /// For items that several processors read at the same time: a table that is returned is counted,
  /// and they would wait for each other's counting.
  static func with<R, E: Error>(
    _ objectClass: ObjectClass, _ body: (FieldTable) throws(E) -> R
  ) throws(E) -> R {
    switch objectClass {
    case .account: try body(account)
    case .thread: try body(thread)
    case .message: try body(message)
    case .draft: try body(draft)
    case .tag: try body(tag)
    case .contact: try body(contact)
    case .file: try body(file)
    case .rich: try body(rich)
    case .other: try body(other)
    }
  }

  private static let account = FieldTable([
    .name: (.text, ["name"]), .email: (.text, ["email_address"]),
    .status: (.text, ["status", "sync_state"]), .provider: (.text, ["provider"]),
    .scope: (.text, ["scope"]), .lastSync: (.time, ["last_sync"]),
  ])

  private static let thread = FieldTable([
    .subject: (.text, ["subject"]), .snippet: (.text, ["snippet"]),
    .firstMessageDate: (.time, ["first_message_timestamp"]),
    .lastMessageDate: (.time, ["last_message_timestamp"]),
    .lastReceivedDate: (.time, ["last_message_received_timestamp"]),
    .lastSentDate: (.time, ["last_message_sent_timestamp"]),
    .isUnread: (.flag, ["unread"]), .isStarred: (.flag, ["starred"]),
    .hasAttachments: (.flag, ["has_attachments"]), .participants: (.people, ["participants"]),
    .tags: (.labels, ["tags"]), .labels: (.labels, ["labels"]),
    .folders: (.labels, ["folders", "folder"]), .messageIDs: (.texts, ["message_ids"]),
    .draftIDs: (.texts, ["draft_ids"]),
  ])

  private static let letter: [ObjectField: (Reading, [StaticString])] = [
    .subject: (.text, ["subject"]), .snippet: (.text, ["snippet"]), .body: (.text, ["body"]),
    .thread: (.id, ["thread_id"]), .date: (.time, ["date"]), .isUnread: (.flag, ["unread"]),
    .isStarred: (.flag, ["starred"]), .from: (.people, ["from"]),
    .replyTo: (.people, ["reply_to"]), .to: (.people, ["to"]), .cc: (.people, ["cc"]),
    .bcc: (.people, ["bcc"]), .tags: (.labels, ["tags"]), .labels: (.labels, ["labels"]),
    .folders: (.labels, ["folder", "folders"]), .fileIDs: (.texts, ["file_ids"]),
    .files: (.files, ["files"]), .repliedMessage: (.id, ["reply_to_message_id"]),
  ]

  private static let message = FieldTable(letter)
  private static let draft = FieldTable(letter.merging([.state: (.text, ["state"])]) { $1 })

  private static let tag = FieldTable([
    .name: (.text, ["name"]), .displayName: (.text, ["display_name"]),
    .isReadOnly: (.flag, ["readonly"]), .unreadCount: (.integer, ["unread_count"]),
    .threadCount: (.integer, ["thread_count"]),
  ])

  private static let contact = FieldTable([
    .name: (.text, ["name"]), .email: (.text, ["email"]), .provider: (.text, ["provider_name"]),
    .source: (.text, ["source"]), .uid: (.text, ["uid"]),
    .phoneNumbers: (.numbers, ["phone_numbers"]),
  ])

  static let file = FieldTable([
    .contentType: (.text, ["content_type", "mimetype"]), .filename: (.text, ["filename"]),
    .contentID: (.text, ["content_id"]), .size: (.integer, ["size"]),
    .messageIDs: (.texts, ["message_ids"]),
  ])

  private static let rich = FieldTable([
    .id: (.id, ["id", "uniqueID"]), .subject: (.text, ["subject"]),
    .body: (.text, ["content", "body"]), .name: (.text, ["name"]), .status: (.text, ["status"]),
    .contentType: (.text, ["contentType"]), .date: (.time, ["sendDateUtc", "postDateUTC"]),
    .startDate: (.time, ["startDateUtc"]), .endDate: (.time, ["endDateUtc", "expireDate"]),
    .localDate: (.time, ["postDate"]), .isRead: (.flag, ["read", "isRead"]),
    .isDeleted: (.flag, ["deleted", "messageDeleted"]), .isStatusDirty: (.flag, ["statusDirty"]),
    .messageType: (.integer, ["messageType"]),
    .inboxMessageType: (.integer, ["inboxMessageType"]), .alert: (.text, ["alert"]),
    .title: (.text, ["title"]), .subtitle: (.text, ["subtitle"]), .url: (.text, ["url"]),
    .sound: (.text, ["sound"]), .custom: (.json, ["custom"]),
    .customKeys: (.json, ["customKeys"]), .mediaURL: (.media, ["media"]),
    .inboxMessage: (.text, ["inboxMessage"]), .inboxSubtitle: (.text, ["inboxSubtitle"]),
    .notificationMessage: (.text, ["notificationMessage"]), .summary: (.text, ["summary"]),
    .iconURL: (.text, ["iconUrl"]), .messageHash: (.text, ["messageHash"]),
    .requestID: (.text, ["requestId"]), .eventID: (.text, ["eventId"]), .keys: (.json, ["keys"]),
    .messageLink: (.text, ["messageLink"]), .deepLink: (.text, ["deepLink"]),
  ])

  private static let other = FieldTable([:])
}

extension ObjectClass {
  /// Creates the class for a server's name; `nil` for an unknown name.
  init?(named name: JSONToken, in bytes: RawSpan) {
    guard name.kind == .string, let index = Self.names.index(of: name, in: bytes) else {
      return nil
    }
    self = Self.named[index].1
  }

  /// The first name that servers use for the class; `nil` for an unknown class.
  package var word: String? { Self.named.first { $0.1 == self }?.0 }

  private static let named: [(String, ObjectClass)] = [
    ("thread", .thread), ("message", .message), ("draft", .draft), ("contact", .contact),
    ("file", .file), ("tag", .tag), ("label", .tag), ("folder", .tag), ("account", .account),
    ("namespace", .account), ("rich", .rich),
  ]
  private static let names = JSONNames(named.map(\.0))
}
