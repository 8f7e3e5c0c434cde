import EventStore

extension Action {
  /// Saves a draft with its present values and the given text.
  ///
  /// Properties without a value are cleared, except those that are unknown in a draft from the
  /// server. The text stays as it is if none is given.
  ///
  /// The draft's files stay as they are, unless ``Draft/fileIDs`` was changed in this value, or the
  /// value was created, not read, with an id from the server: then the value's files replace them,
  /// including any added since. So a screen that holds a draft, adds a file and saves the text
  /// later keeps the file. A draft that no longer exists is created again, with the value's files.
  /// One that is being deleted, or that was sent, is not: that throws ``IntentError/unknown(id:)``.
  ///
  /// The server detects conflicts with versions that the device has not received yet. A version
  /// that the device has received is shown, and this overrides it: to notice changes made elsewhere
  /// while holding a value for long, watch the draft with ``Inbox/watch(_:_:)``.
  ///
  /// A draft that waits to be sent is sent with this text. Once the sending has begun, performing
  /// the action throws ``IntentError/tooLate``.
  ///
  /// The draft's id is a temporary one, from ``Inbox/newID()``, or that of an existing draft.
  public static func save(_ draft: Draft, body: String? = nil) -> Action {
    var action = saving(draft, body, withFiles: draft.filesAreSaid.note)
    action.drafts = [draft.id]
    action.anew = (draft.id, saving(draft, body, withFiles: true).intent)
    return action.of(draft)
  }

  private static func saving(_ draft: Draft, _ body: String?, withFiles: Bool) -> Action {
    saying(.draft, []) { () throws(RowError) in
      var said = try ObjectFields(saving: draft, body)
      if !withFiles { said.remove(.fileIDs) }
      return said
    } intent: { said, terms in
      SaveDraft {
        $0.draft = said
        $0.baseVersion = draft.version.map(Int64.init)
        $0.terms = terms
      }
    }
  }

  /// Sends a draft, with the text and the files that are saved when the sending begins.
  ///
  /// Save it first: a draft that was never saved, such as a new reply, is unknown.
  ///
  /// A draft is sent once: while a sending waits, that one continues, and its receipt is returned.
  /// Once the sending has begun, performing the action throws ``IntentError/tooLate``. A draft is
  /// not sent without a file that the server refused: the sending fails.
  public static func send(_ draft: Draft) -> Action {
    var action = Action(.draft, [draft.id]) { terms in
      SendDraft {
        $0.id = draft.id
        $0.version = draft.version.map(Int64.init)
        $0.messageID = draft.messageID(terms.key)
        $0.terms = terms
      }
    }
    (action.drafts, action.isSending) = ([draft.id], true)
    return action.of(draft)
  }

  /// Creates a tag, or renames it.
  public static func save(_ tag: Tag) -> Action {
    saying(.tag, []) { () throws(RowError) in
      try ObjectFields(tag)
    } intent: { said, terms in
      SaveTag {
        $0.tag = said
        $0.terms = terms
      }
    }.of(tag)
  }

  /// Uploads a file, whose content is at the path that it names.
  ///
  /// A file for a draft is among the draft's files at once, and no longer if the upload fails. The
  /// draft must have been saved, even if it is still empty. Saving a value of the draft that was
  /// read earlier keeps the file, unless the value's `fileIDs` was changed.
  public static func add(_ file: Attachment, to draft: Draft? = nil) -> Action {
    let drafts = [draft?.id].compactMap(\.self)
    var action = saying(.draft, drafts) { () throws(RowError) in
      try ObjectFields(file)
    } intent: { said, terms in
      AddFile {
        $0.file = said
        $0.content = file.localPath ?? ""
        $0.draft = draft?.id
        $0.terms = terms
      }
    }
    action.drafts = drafts
    return draft.map(action.of) ?? action.of(file)
  }
}

extension Action {
  /// Creates an action that sets an object's fields, or one that fails if they are too large.
  private static func saying(
    _ objectClass: ObjectClass, _ ids: [String], _ said: () throws(RowError) -> ObjectFields,
    intent: @escaping @Sendable (ObjectFields, IntentTerms) -> any Intent
  ) -> Action {
    do throws(RowError) {
      let said = try said()
      return Action(objectClass, ids) { intent(said, $0) }
    } catch {
      var action = Action(objectClass, ids) { intent(ObjectFields(), $0) }
      action.failure = error
      return action
    }
  }
}

extension Draft {
  /// The `Message-ID` of the sent message: at the sender's domain, or at a placeholder domain.
  fileprivate func messageID(_ key: OperationKey) -> String {
    let domain = from.first?.email.split(separator: "@").last.map(String.init) ?? ""
    let isPlain = !domain.isEmpty && domain.utf8.count <= 255 && domain.utf8.allSatisfy(\.isHost)
    let own = "\(String(key.low, radix: 36)).\(String(key.high, radix: 36))"
    return "<\(own)@\(isPlain ? domain : "tideline.invalid")>"
  }
}

extension UInt8 {
  /// Whether host names may contain the byte.
  fileprivate var isHost: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension ObjectFields {
  /// The fields of a draft being saved.
  fileprivate init(saving draft: Draft, _ body: String?) throws(RowError) {
    var draft = draft
    // All of a local draft is known.
    if draft.hasTemporaryID { draft.known = -1 }
    // The last file of a partial draft may have been removed.
    if draft.filesAreSaid.note { draft.known |= Int64(bitPattern: Messages.fileIDs.bit) }
    try self.init(draft, body: body)
    // The progress of sending is not for the person to set.
    remove(.state)
    guard !draft.isPartial else { return }
    let texts = [
      (ObjectField.subject, draft.subject), (.snippet, draft.snippet), (.thread, draft.threadID),
      (.repliedMessage, draft.replyToMessageID),
    ]
    for (field, text) in texts where text == nil { putNull(field) }
  }
}
