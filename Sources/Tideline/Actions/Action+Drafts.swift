import EventStore

extension Action {
  /// Has a draft be as it is, with the text that was written: what it has no value of is cleared,
  /// but for what is not known of a draft of the server's, and a text that is not given.
  ///
  /// Its files are left as they are, unless ``Draft/fileIDs`` was changed in this value, or it was
  /// made and not read, with an id of the server's: then they are those, and none that was added
  /// since. So a screen that holds a draft, has a file added and saves the text later keeps the
  /// file. A draft that is not there any more is made again, with the files that the value has. One
  /// that is being deleted, or that was sent, is not: ``IntentError/unknown(id:)`` says so.
  ///
  /// Whether somebody else has saved it since the server says, of versions that the device has not
  /// heard of. What it has heard of is shown, and this goes above it: who holds a value for long
  /// watches the draft, ``Inbox/watch(_:_:)``, to see what was written elsewhere.
  ///
  /// Its id is a temporary one, from ``Inbox/newID()``, or one that is there.
  public static func save(_ draft: Draft, body: String? = nil) -> Action {
    var action = saving(draft, body, withFiles: draft.filesAreSaid.note)
    action.anew = (draft.id, saving(draft, body, withFiles: true).intent)
    return action
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

  /// Has a draft be sent, as it was saved before.
  public static func send(_ draft: Draft) -> Action {
    Action(.draft, [draft.id]) { terms in
      SendDraft {
        $0.id = draft.id
        $0.version = draft.version.map(Int64.init)
        $0.messageID = draft.messageID(terms.key)
        $0.terms = terms
      }
    }
  }

  /// Has a tag be there, with its name.
  public static func save(_ tag: Tag) -> Action {
    saying(.tag, []) { () throws(RowError) in
      try ObjectFields(tag)
    } intent: { said, terms in
      SaveTag {
        $0.tag = said
        $0.terms = terms
      }
    }
  }

  /// Has a file be uploaded; its content is at the path that it names.
  ///
  /// If it is for a draft, it is among the draft's files at once, and no more should the upload
  /// fail. It stays so when a value of the draft is saved that was read before, unless `fileIDs`
  /// was changed in that.
  public static func add(_ file: Attachment, to draft: Draft? = nil) -> Action {
    saying(.draft, [draft?.id].compactMap(\.self)) { () throws(RowError) in
      try ObjectFields(file)
    } intent: { said, terms in
      AddFile {
        $0.file = said
        $0.content = file.localPath ?? ""
        $0.draft = draft?.id
        $0.terms = terms
      }
    }
  }
}

extension Action {
  /// An action by which something is to be as is said, which fails where that is too large.
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
  /// The id that it is sent under, as a header has it: at the domain of who sends it, or of nobody.
  fileprivate func messageID(_ key: OperationKey) -> String {
    let domain = from.first?.email.split(separator: "@").last.map(String.init) ?? ""
    let isPlain = !domain.isEmpty && domain.utf8.count <= 255 && domain.utf8.allSatisfy(\.isHost)
    let own = "\(String(key.low, radix: 36)).\(String(key.high, radix: 36))"
    return "<\(own)@\(isPlain ? domain : "tideline.invalid")>"
  }
}

extension UInt8 {
  /// Whether the names of hosts have it.
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
  /// What a person has a draft be.
  fileprivate init(saving draft: Draft, _ body: String?) throws(RowError) {
    var draft = draft
    // Nobody else knows of it.
    if draft.hasTemporaryID { draft.known = -1 }
    try self.init(draft, body: body)
    // How far sending has come is not the person's to say.
    remove(.state)
    guard !draft.isPartial else { return }
    let texts = [
      (ObjectField.subject, draft.subject), (.snippet, draft.snippet), (.thread, draft.threadID),
      (.repliedMessage, draft.replyToMessageID),
    ]
    for (field, text) in texts where text == nil { putNull(field) }
  }
}
