package import EventStore

/// The class of an object.
public enum ObjectClass: Int64, EventCode {
  /// A person's mailbox at a server.
  case account = 1
  /// A conversation: messages that answer each other.
  case thread = 2
  /// A received or sent message.
  case message = 3
  /// A tag, label or folder that groups threads.
  case tag = 4
  /// A person with whom one corresponds.
  case contact = 5
  /// A file in a message or a draft.
  case file = 6
  /// A rich message of a marketing system.
  case rich = 7
  /// A message that is being written.
  case draft = 8
  /// An object that this version doesn't know, but keeps.
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

/// What an event reports about an object.
package enum ObjectChange: Int64, EventCode {
  /// Present fields have the given values; absent fields are unchanged.
  case changed = 0
  /// The object is new; absent fields have never been set.
  case created = 1
  /// The object is complete; absent fields are not set.
  case whole = 2
  /// The server deleted the object.
  case deleted = 3
  /// The server no longer has the object, according to a complete response or a request for the
  /// object.
  case gone = 4
}

/// An object, by its class and its id in the account.
package struct ObjectName: EventPart {
  /// The object's class.
  package var objectClass = ObjectClass.other
  /// The server's id, or one that begins with `local-` until the server assigns one.
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
    return String(joining: UInt64(written.rawValue), account, id)
  }
}
