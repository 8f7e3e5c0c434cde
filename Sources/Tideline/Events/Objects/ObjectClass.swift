package import EventStore

/// What kind of thing an object is.
public enum ObjectClass: Int64, EventCode {
  /// Mail of one person at one server.
  case account = 1
  /// Messages that answer each other.
  case thread = 2
  /// A message that was received or sent.
  case message = 3
  /// What threads are sorted by: a tag, a label or a folder.
  case tag = 4
  /// A person that one writes with.
  case contact = 5
  /// A file of a message or a draft.
  case file = 6
  /// A rich message of a marketing system.
  case rich = 7
  /// A message that is being written.
  case draft = 8
  /// Something that this version knows nothing of, but keeps.
  case other = 15

  /// The kind of facts about objects of this class.
  package var kind: EventKind {
    EventKind(rawValue: EventFamily.object.rawValue << 8 | UInt16(rawValue))
  }

  /// Creates the class of facts of a kind; returns `nil` if these are not facts about objects.
  package init?(_ kind: EventKind) {
    guard kind.family == .object else { return nil }
    self.init(rawValue: Int64(kind.rawValue & 0xFF))
  }
}

/// What an event says has become of an object.
package enum ObjectChange: Int64, EventCode {
  /// The fields that are there are as they say; others are as they were.
  case changed = 0
  /// It is new; fields that are not there have never been set.
  case created = 1
  /// This is all of it: fields that are not there are not set.
  case whole = 2
  /// The server deleted it.
  case deleted = 3
  /// The server does not have it any more: a complete answer or a question for it said so.
  case gone = 4
}

/// A thing by its class and its id in the account.
package struct ObjectName: EventPart {
  /// What it is.
  package var objectClass = ObjectClass.other
  /// The server's id, or one that begins with `local-` until the server has given one.
  package var id = ""

  /// Creates an empty name.
  package init() {}

  /// Creates the name of an object.
  package init(_ objectClass: ObjectClass, _ id: String) {
    self.objectClass = objectClass
    self.id = id
  }

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "id", &id)
  }

  package var line: String { "\(objectClass) \(EventLine.quoted(id))" }

  /// The text whose fingerprint is in a record's header.
  ///
  /// A draft has the name of the message that it becomes.
  package func text(in account: UInt32) -> String {
    let written = objectClass == .draft ? ObjectClass.message : objectClass
    return "\(written.rawValue)/\(account)/\(id)"
  }
}
