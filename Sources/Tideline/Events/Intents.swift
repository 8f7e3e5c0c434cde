package import EventStore

/// Fields that every intent has.
package struct IntentTerms: EventPart {
  /// The key by which the server recognizes a repeated request.
  package var key = OperationKey()
  /// Until when the intent is held back, so that it can be withdrawn.
  package var heldUntil: Timestamp?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "key", &key)
    try coder.code(2, "heldUntil", &heldUntil)
  }
}

/// A request by the person or the application: shown at once, sent when possible, with one
/// operation for each object that it covers.
package protocol Intent: FieldedEvent {
  /// The fields that every intent has.
  var terms: IntentTerms { get set }
}

extension Intent {
  package static var origin: Event.Origin { .intent }
}

/// Objects are to be marked as read or unread.
///
/// A thread stands for the messages that it had when this was recorded.
package struct MarkRead: Intent {
  package static let kind = EventKind(rawValue: 0x0401)

  /// The class of the objects: threads, messages or rich messages.
  package var objectClass = ObjectClass.message
  /// The ids of the objects.
  package var ids: [String] = []
  /// Whether to mark the objects as read; if absent, as unread.
  package var isRead = false
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "ids", &ids)
    try coder.code(3, "isRead", &isRead)
    try coder.code(512, "terms", &terms)
  }
}

/// The action with which the person changed tags.
package enum TagGesture: Int64, EventCode {
  /// A plain change of tags.
  case plain = 0
  /// Adding a star.
  case star = 1
  /// Removing the star.
  case unstar = 2
  /// Archiving.
  case archive = 3
  /// Moving back to the inbox.
  case unarchive = 4
  /// Marking as seen.
  case see = 5
  /// Moving to the trash.
  case trash = 6
  /// Moving to a folder.
  case move = 7
  /// Marking as spam.
  case spam = 8
}

/// Objects are to gain some tags and lose others.
///
/// Starring, archiving and marking as seen are changes of the well-known tags `starred`, `inbox`,
/// `archive` and `unseen`, whatever a server calls them. No tag may be both added and removed.
package struct ChangeTags: Intent {
  package static let kind = EventKind(rawValue: 0x0402)

  /// The class of the objects: threads or messages.
  package var objectClass = ObjectClass.thread
  /// The ids of the objects.
  package var ids: [String] = []
  /// The ids of the tags to add.
  package var added: [String] = []
  /// The ids of the tags to remove.
  package var removed: [String] = []
  /// The person's action, for descriptions of the change.
  package var gesture = TagGesture.plain
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "ids", &ids)
    try coder.code(3, "added", &added)
    try coder.code(4, "removed", &removed)
    try coder.code(5, "gesture", &gesture)
    try coder.code(512, "terms", &terms)
  }
}

/// Objects are to be deleted; drafts have an intent of their own.
package struct DeleteObjects: Intent {
  package static let kind = EventKind(rawValue: 0x0403)

  /// The class of the objects.
  package var objectClass = ObjectClass.rich
  /// The ids of the objects.
  package var ids: [String] = []
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "ids", &ids)
    try coder.code(512, "terms", &terms)
  }
}

/// What to do with all objects that match.
package enum MarkAllAction: Int64, EventCode {
  /// Mark them as read.
  case read = 1
  /// Delete them.
  case deleted = 2
  /// Mark them as seen.
  case seen = 3
}

/// Everything that a filter matches at this record, and at its time, is to be marked or deleted.
///
/// Objects that are not active then, or arrive later, are left alone, as are those that arrived
/// between the person's decision and this record. An intent about very many objects consists of
/// several such records in sequence, each reaching further back in time; the first is the cause of
/// the others.
package struct MarkAll: Intent {
  package static let kind = EventKind(rawValue: 0x0404)

  /// The class of the objects.
  package var objectClass = ObjectClass.rich
  /// What to do with the objects.
  package var action = MarkAllAction.read
  /// The id of the tag that the objects must have, unless all are meant.
  package var tag: String?
  /// The bytes of a further condition on the objects.
  package var condition: EventBytes?
  /// The earliest date of the objects, unless all are meant.
  package var since: Timestamp?
  /// The last record that was shown when the person decided; objects created after it are not
  /// meant.
  package var asOf: RecordNumber?
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "action", &action)
    try coder.code(3, "tag", &tag)
    try coder.code(4, "condition", &condition)
    try coder.code(5, "since", &since)
    try coder.code(6, "asOf", last: &asOf)
    try coder.code(512, "terms", &terms)
  }
}
