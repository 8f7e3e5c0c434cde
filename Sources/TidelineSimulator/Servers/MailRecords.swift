package import EventStore
package import Tideline

/// A thread on a mail server.
package struct ServedThread: Sendable {
  /// The id of the thread.
  package let id: String
  /// The subject of the thread.
  package var subject: String
  /// The ids of its tags.
  package var tags: Set<String> = []
  /// The number of its changes.
  package var version: Int64 = 0
  /// The ids of its messages and drafts, in order.
  package var items: [String] = []
}

/// A message or a draft on a mail server; either may become the other.
package struct ServedMessage: Sendable {
  /// The id of the message.
  package let id: String
  /// The id of its thread.
  package var thread: String
  /// Its subject.
  package var subject: String
  /// Its text.
  package var text: String
  /// The address of the sender.
  package var sender: String
  /// The addresses of the recipients.
  package var recipients: [String]
  /// The time it was sent or saved.
  package var date: Timestamp
  /// Whether it is unread.
  package var isUnread = false
  /// The ids of the message's own tags.
  package var tags: Set<String> = []
  /// Whether it ever had tags of its own, so that their absence is reported too.
  package var isTagged = false
  /// Whether it is a draft.
  package var isDraft = false
  /// The number of times a draft was saved.
  package var version: Int64 = 0
  /// The id of the message that it answers.
  package var repliedMessage: String?
  /// The ids of its files.
  package var files: [String] = []
  /// The people of a field who have names, or are neither the sender nor recipients.
  package var people: [ObjectField: [ObjectPerson]] = [:]
  /// The beginning of the text, if one is shown.
  package var snippet: String?
  /// The `Message-ID` with which it was sent, if any.
  package var messageID: String?
}

/// A tag on a mail server.
package struct ServedTag: Sendable {
  /// The id of the tag.
  package let id: String
  /// The name of the tag.
  package var name: String
  /// Whether it is the person's own tag.
  package var isOwn: Bool
}

/// A file on a mail server.
package struct ServedFile: Sendable {
  /// The id of the file.
  package let id: String
  /// The name of the file.
  package var name: String
  /// The size in bytes.
  package var size: Int64
  /// The type of its content.
  package var contentType: String?
  /// The ids of the messages with this file.
  package var messages: [String] = []
}

/// A contact on a mail server.
package struct ServedContact: Sendable {
  /// The id of the contact.
  package let id: String
  /// The name of the contact.
  package var name: String
  /// The address of the contact.
  package var email: String
}
