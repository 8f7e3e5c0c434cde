package import EventStore

/// A draft is to be saved as the person left it; only a deletion ever discards its text.
package struct SaveDraft: Intent {
  package static let kind = EventKind(rawValue: 0x0405)

  /// The draft: its id and its changed fields.
  package var draft = ObjectFields()
  /// The terms of the intent.
  package var terms = IntentTerms()
  /// The last version that the server had reported when the draft was edited.
  ///
  /// This is only for diagnosis: a save is sent with the last version that the server has reported
  /// or acknowledged by then. Versions in between may come from the device's own saves, which can't
  /// be told apart, as facts report these as well; and a value must not conflict with its own save.
  package var baseVersion: Int64?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(object: &draft)
    try coder.code(512, "terms", &terms)
    try coder.code(513, "baseVersion", &baseVersion)
  }
}

/// A saved draft is to be sent.
package struct SendDraft: Intent {
  package static let kind = EventKind(rawValue: 0x0406)

  /// The draft's id.
  package var id = ""
  /// The last version of the draft that the server had reported.
  package var version: Int64?
  /// The message's own id as sent, for finding the message if the response is lost.
  package var messageID: String?
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "id", &id)
    try coder.code(2, "version", &version)
    try coder.code(3, "messageID", &messageID)
    try coder.code(512, "terms", &terms)
  }
}

/// A draft is to be deleted.
package struct DeleteDraft: Intent {
  package static let kind = EventKind(rawValue: 0x0407)

  /// The draft's id.
  package var id = ""
  /// The last version of the draft that the server had reported.
  package var version: Int64?
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "id", &id)
    try coder.code(2, "version", &version)
    try coder.code(512, "terms", &terms)
  }
}

/// A file is to be uploaded; drafts that contain it wait for the upload.
package struct AddFile: Intent {
  package static let kind = EventKind(rawValue: 0x0408)

  /// The file: its id, name, type and size.
  package var file = ObjectFields()
  /// The terms of the intent.
  package var terms = IntentTerms()
  /// The name of the content, which is kept beside the log.
  package var content = ""
  /// A digest of the content.
  package var digest: EventBytes?
  /// The id of the draft for which the file was added.
  package var draft: String?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(object: &file)
    try coder.code(512, "terms", &terms)
    try coder.code(513, "content", &content)
    try coder.code(514, "digest", &digest)
    try coder.code(515, "draft", &draft)
  }
}

/// A tag is to exist with the given name.
package struct SaveTag: Intent {
  package static let kind = EventKind(rawValue: 0x0409)

  /// The tag: its id and its name.
  package var tag = ObjectFields()
  /// The terms of the intent.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(object: &tag)
    try coder.code(512, "terms", &terms)
  }
}
