package import EventStore
package import Tideline

/// A thread as a mail server has it.
package struct ServedThread: Sendable {
  /// Its id.
  package let id: String
  /// Its subject.
  package var subject: String
  /// The ids of its tags.
  package var tags: Set<String> = []
  /// How often it changed.
  package var version: Int64 = 0
  /// The ids of its messages and drafts, the first first.
  package var items: [String] = []
}

/// A message or a draft as a mail server has it: one of them, which may become the other.
package struct ServedMessage: Sendable {
  /// Its id.
  package let id: String
  /// The id of its thread.
  package var thread: String
  /// Its subject.
  package var subject: String
  /// Its text.
  package var text: String
  /// Who sent it.
  package var sender: String
  /// Whom it is for.
  package var recipients: [String]
  /// When it was sent, or saved.
  package var date: Timestamp
  /// Whether it is unread.
  package var isUnread = false
  /// The ids of tags of its own.
  package var tags: Set<String> = []
  /// Whether it ever had tags of its own, so that it is told when it has none any more.
  package var isTagged = false
  /// Whether it is a draft.
  package var isDraft = false
  /// How often a draft was saved.
  package var version: Int64 = 0
  /// The id of the message that it answers.
  package var repliedMessage: String?
  /// The ids of its files.
  package var files: [String] = []
  /// The people of a field who have names, or are neither its sender nor its recipients.
  package var people: [ObjectField: [ObjectPerson]] = [:]
  /// The beginning of the text, where one is shown.
  package var snippet: String?
  /// By what it is found, where it was sent with such an id.
  package var messageID: String?
}

/// A tag as a mail server has it.
package struct ServedTag: Sendable {
  /// Its id.
  package let id: String
  /// Its name.
  package var name: String
  /// Whether it is one of the person's own.
  package var isOwn: Bool
}

/// A file as a mail server has it.
package struct ServedFile: Sendable {
  /// Its id.
  package let id: String
  /// Its name.
  package var name: String
  /// How many bytes it has.
  package var size: Int64
  /// The type of its content.
  package var contentType: String?
  /// The ids of the messages that have it.
  package var messages: [String] = []
}

/// A contact as a mail server has it.
package struct ServedContact: Sendable {
  /// Its id.
  package let id: String
  /// Its name.
  package var name: String
  /// Its address.
  package var email: String
}
