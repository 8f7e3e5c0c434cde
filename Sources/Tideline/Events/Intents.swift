package import EventStore

/// What goes with every intent.
package struct IntentTerms: EventPart {
  /// By what the server knows the request if it gets it twice.
  package var key = OperationKey()
  /// Until when it is not sent, so that it can be withdrawn.
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
  /// What goes with every intent.
  var terms: IntentTerms { get set }
}

extension Intent {
  package static var origin: Event.Origin { .intent }
}

/// Things are to be read, or to be unread.
///
/// A thread stands for those of its messages that were there when this was recorded.
package struct MarkRead: Intent {
  package static let kind = EventKind(rawValue: 0x0401)

  /// What they are: threads, messages or rich messages.
  package var objectClass = ObjectClass.message
  /// Their ids.
  package var ids: [String] = []
  /// Whether they are to be read; where it is not there, to be unread.
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

/// What the person did to change tags.
package enum TagGesture: Int64, EventCode {
  /// Changed tags as such.
  case plain = 0
  /// Starred.
  case star = 1
  /// Took the star away.
  case unstar = 2
  /// Archived.
  case archive = 3
  /// Brought back to the inbox.
  case unarchive = 4
  /// Saw.
  case see = 5
  /// Threw away.
  case trash = 6
  /// Moved to a folder.
  case move = 7
  /// Called it spam.
  case spam = 8
}

/// Things are to be under some tags and not under others.
///
/// To star, to archive and to have seen are changes of the well-known tags `starred`, `inbox`,
/// `archive` and `unseen`, whatever a server calls them. No tag may be both added and removed.
package struct ChangeTags: Intent {
  package static let kind = EventKind(rawValue: 0x0402)

  /// What they are: threads or messages.
  package var objectClass = ObjectClass.thread
  /// Their ids.
  package var ids: [String] = []
  /// The ids of the tags that they are to be under.
  package var added: [String] = []
  /// The ids of the tags that they are not to be under.
  package var removed: [String] = []
  /// What the person did, for whoever tells of it.
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

/// Things are to be gone; drafts have an intent of their own.
package struct DeleteObjects: Intent {
  package static let kind = EventKind(rawValue: 0x0403)

  /// What they are.
  package var objectClass = ObjectClass.rich
  /// Their ids.
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

/// What is wanted of all.
package enum MarkAllAction: Int64, EventCode {
  /// To be read.
  case read = 1
  /// To be deleted.
  case deleted = 2
  /// To be seen.
  case seen = 3
}

/// Everything that a filter finds at this record, and at its time, is to be read or to be gone.
///
/// What is not active then, or comes later, is left alone, and so is what came between the person's
/// decision and this record. An intent about very many things is several such records, one behind
/// the other, each about what is older as well; the first is the cause of the others.
package struct MarkAll: Intent {
  package static let kind = EventKind(rawValue: 0x0404)

  /// What it is about.
  package var objectClass = ObjectClass.rich
  /// What is wanted.
  package var action = MarkAllAction.read
  /// The id of the tag that the things are under, where not all are meant.
  package var tag: String?
  /// The bytes of a further condition on them.
  package var condition: EventBytes?
  /// From when on the things date, where not all are meant.
  package var since: Timestamp?
  /// The last record that was shown when it was wanted: what was made since is not meant.
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
    try coder.code(6, "asOf", &asOf)
    try coder.code(512, "terms", &terms)
  }
}
